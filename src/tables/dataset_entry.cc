#include "tables/dataset_entry.h"

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
#include "select/selection_file.h"
#include "select/selection_plan.h"
#include "tables/annotated_rows.h"
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

// Returns a name for a folder that nothing has yet; no separator may be in it.
std::string folder_of(const fs::path& out, std::string wanted) {
  for (char& c : wanted) {
    if (c == '/' || c == '\0') c = '_';
  }
  if (wanted.empty() || wanted == "." || wanted == "..") wanted = "host";
  std::string name = wanted;
  std::error_code ignored;
  for (int number = 2; fs::exists(out / name, ignored); ++number) {
    name = fmt::format("{}-{}", wanted, number);
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

// Writes a table that `write` gives the rows of.
template <typename Write>
Result<void> write_rows(const fs::path& path, Write write) {
  auto rows = exchange::find_format(kFormat)->make_rows(path);
  if (!rows) return base::pass(rows);
  return write(**rows);
}

Result<void> write_annotated(const FinishedAnalysis& run, const Annotations& known,
                             const std::vector<bool>& keep, const fs::path& folder) {
  if (auto made = make_folder(folder / "windows"); !made) return made;
  const auto windows = write_rows(
      folder / "windows" / "annotated.csv.gz",
      [&](exchange::RowSink& out) { return write_annotated_rows(run, known, keep, out); });
  if (!windows) return windows;
  if (known.truth) {
    const auto truth = write_rows(folder / "truth.csv.gz", [&](exchange::RowSink& out) {
      return write_truth_rows(*known.truth, out);
    });
    if (!truth) return truth;
  }
  if (!known.steps) return {};
  return write_rows(folder / "steps.csv.gz",
                    [&](exchange::RowSink& out) { return write_step_rows(*known.steps, out); });
}

Result<void> write_texts(const report::Report& report, const select::SelectionPlan& plan,
                         const fs::path& folder) {
  auto done = base::write_new_file(folder / "report.json", report::to_json(report));
  if (!done) return done;
  return base::write_new_file(folder / "selection.json", select::to_json(plan));
}

// Returns the plan that was given or, without one, that of this run.
const select::SelectionPlan& plan_of(const pipeline::PipelineConfig& config,
                                     const pipeline::Pipeline& pipeline) {
  return config.selection == pipeline::SelectionMode::kPlan ? config.plan : pipeline.plan();
}

// Returns by ChannelId whether the detectors may see the channel.
std::vector<bool> seen(const pipeline::PipelineConfig& config, const pipeline::Pipeline& pipeline) {
  if (config.selection != pipeline::SelectionMode::kAll) {
    return select::apply(plan_of(config, pipeline), pipeline.channels()).keep;
  }
  return std::vector<bool>(pipeline.channels().channel_count(), true);
}

std::set<std::string> kept_names(const select::SelectionPlan& plan,
                                 const model::ChannelTable& channels) {
  const auto selection = select::apply(plan, channels);
  std::set<std::string> out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    if (selection.keep[i]) out.insert(channels.name(model::ChannelId(i)));
  }
  return out;
}

}  // namespace

Result<DatasetEntry> write_dataset_entry(const std::string& directory, const std::string& name,
                                         const Annotations& known,
                                         const pipeline::PipelineConfig& config,
                                         const fs::path& out) {
  auto replayed = replay::replay(directory, config);
  if (!replayed) return base::pass(replayed);
  auto& pipeline = *replayed->pipeline;
  const auto report = pipeline.analyze();
  if (!report) return base::pass(report);

  DatasetEntry entry;
  entry.folder = folder_of(out, name.empty() ? report->facts.host : name);
  const fs::path folder = out / entry.folder;
  const auto raw = write_samples(directory, {}, false, folder / "raw");
  if (!raw) return base::pass(raw);
  exchange::Part kept;
  const auto& plan = plan_of(config, pipeline);
  kept.names = kept_names(plan, pipeline.channels());
  const auto filtered = write_samples(directory, kept, true, folder / "filtered");
  if (!filtered) return base::pass(filtered);
  if (auto done = write_annotated({*report, pipeline}, known, seen(config, pipeline), folder);
      !done) {
    return base::pass(done);
  }
  if (auto done = write_texts(*report, plan, folder); !done) return base::pass(done);
  entry.labels = known.labels;
  entry.configuration = report->configuration;
  entry.facts = report->facts;
  entry.damage = std::move(replayed->damage);
  entry.begin_ns = report->begin_ns;
  entry.end_ns = report->end_ns;
  entry.frames = report->frames;
  entry.raw_channels = *raw;
  entry.filtered_channels = *filtered;
  entry.windows = report->windows.size();
  entry.findings = report->findings.size();
  return entry;
}

}  // namespace reveal::tables
