#include "tables/dataset.h"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/new_file.h"
#include "exchange/format.h"
#include "pipeline/pipeline.h"
#include "replay/chosen_frames.h"
#include "replay/copy_frames.h"
#include "replay/replayed.h"
#include "report/json.h"
#include "select/selection_plan.h"
#include "tables/report_rows.h"

namespace reveal::tables {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::string_view kFormat = "csv.gz";

Result<void> make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return base::fail(base::ErrorKind::kIo, "cannot create: " + error.message(), path.string());
}

// Returns a name for the host's folder that nothing has yet; no separator may be in it.
std::string folder_of(const fs::path& out, std::string host) {
  for (char& c : host) {
    if (c == '/' || c == '\0') c = '_';
  }
  if (host.empty() || host == "." || host == "..") host = "host";
  std::string name = host;
  std::error_code ignored;
  for (int number = 2; fs::exists(out / name, ignored); ++number) {
    name = fmt::format("{}-{}", host, number);
  }
  return name;
}

// Writes samples in two passes: the first finds the channels. Returns how many there are.
Result<std::size_t> write_samples(const std::string& directory, const exchange::Part& part,
                                  bool derived, const fs::path& folder) {
  if (auto made = make_folder(folder); !made) return base::pass(made);
  auto first = replay::ChosenFrames::open(directory, part, derived);
  if (!first) return base::pass(first);
  for (;;) {
    const auto frame = first->frames().next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
  }
  auto second = replay::ChosenFrames::open(directory, part, derived);
  if (!second) return base::pass(second);
  const auto& channels = first->frames().channels();
  auto writer = exchange::find_format(kFormat)->make_writer(
      {folder / "samples.csv.gz", exchange::Layout::kWide, &channels});
  if (!writer) return base::pass(writer);
  if (auto done = replay::copy_frames(second->frames(), **writer); !done) {
    return base::pass(done);
  }
  return channels.channel_count();
}

Result<void> write_windows(const FinishedAnalysis& run, const fs::path& folder) {
  if (auto made = make_folder(folder); !made) return made;
  auto rows = exchange::find_format(kFormat)->make_rows(folder / "annotated.csv.gz");
  if (!rows) return base::pass(rows);
  return find_report_table("windows")->write(run, true, **rows);
}

std::set<std::string> kept_names(const pipeline::Pipeline& pipeline) {
  const auto& channels = pipeline.channels();
  const auto selection = select::apply(pipeline.plan(), channels);
  std::set<std::string> out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    if (selection.keep[i]) out.insert(channels.name(model::ChannelId(i)));
  }
  return out;
}

}  // namespace

Result<DatasetEntry> write_dataset_entry(const std::string& directory,
                                         const pipeline::PipelineConfig& config,
                                         const fs::path& out) {
  auto replayed = replay::replay(directory, config);
  if (!replayed) return base::pass(replayed);
  auto& pipeline = *replayed->pipeline;
  const auto report = pipeline.analyze();
  if (!report) return base::pass(report);

  DatasetEntry entry;
  entry.folder = folder_of(out, report->facts.host);
  const fs::path folder = out / entry.folder;
  const auto raw = write_samples(directory, {}, false, folder / "raw");
  if (!raw) return base::pass(raw);
  exchange::Part kept;
  kept.names = kept_names(pipeline);
  const auto filtered = write_samples(directory, kept, true, folder / "filtered");
  if (!filtered) return base::pass(filtered);
  if (auto done = write_windows({*report, pipeline}, folder / "windows"); !done) {
    return base::pass(done);
  }
  if (auto done = base::write_new_file(folder / "report.json", report::to_json(*report)); !done) {
    return base::pass(done);
  }
  entry.facts = report->facts;
  entry.damage = std::move(replayed->damage);
  entry.begin_ns = report->begin_ns;
  entry.end_ns = report->end_ns;
  entry.window_ns = report->configuration.window.length_ns;
  entry.stride_ns = report->configuration.window.stride_ns;
  entry.frames = report->frames;
  entry.raw_channels = *raw;
  entry.filtered_channels = *filtered;
  entry.windows = report->windows.size();
  entry.findings = report->findings.size();
  return entry;
}

}  // namespace reveal::tables
