// reveal export: a recording, or what its analysis finds, as text for other programs.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/frame_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "exchange/format.h"
#include "exchange/text_output.h"
#include "replay/chosen_frames.h"
#include "replay/copy_frames.h"
#include "tables/report_rows.h"
#include "tables/report_slices.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kSamples = "samples";
constexpr const char* kWall = "wall";
constexpr const char* kMonotonic = "monotonic";

struct ExportArguments {
  std::string directory;
  std::string output{exchange::kStandardOutput};
  std::string format;
  std::string layout = "wide";
  std::optional<std::string> clock;
  std::string table{kSamples};
  FrameOptions choice;
  SettingOptions analysis;
};

// Reads all frames, for what a header must say: the channels that there will be.
Result<void> check_frames(model::FrameSource& source, const std::string& directory,
                          const exchange::Part& part) {
  std::uint64_t frames = 0;
  for (;; ++frames) {
    const auto frame = source.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
  }
  const exchange::Part all;
  const bool asks_for_all = part.from_ns == all.from_ns && part.to_ns == all.to_ns;
  if (frames == 0 && asks_for_all) {
    return base::fail(ErrorKind::kTooLittle, "no frame in this recording", directory,
                      "record for longer");
  }
  if (frames == 0) {
    return base::fail(ErrorKind::kUsage, "no frame of this recording is in that time", directory,
                      "leave out --from and --to");
  }
  if (source.channels().channel_count() > 0) return {};
  return base::fail(ErrorKind::kUsage, "no channel has such a name", directory,
                    "reveal export DIR | head -1 shows the names");
}

Result<const exchange::Format*> format_of(const ExportArguments& options) {
  const bool to_file = options.output != exchange::kStandardOutput;
  if (options.format.empty() && !to_file) return exchange::find_format("csv");
  const auto* format = options.format.empty() ? exchange::format_of_file(options.output)
                                              : exchange::find_format(options.format);
  const bool samples = options.table == kSamples;
  const bool written = format != nullptr &&
                       (samples ? format->make_writer != nullptr : format->make_rows != nullptr);
  if (written) return format;
  return base::fail(
      ErrorKind::kUsage, fmt::format("is not a format for {}", options.table),
      options.format.empty() ? options.output : "--format " + options.format,
      "choose --format from " + (samples ? exchange::written_formats() : exchange::row_formats()));
}

// Returns what the report beside the recording says of that time; nothing where there is none.
Result<std::vector<exchange::Slice>> found(const std::string& directory,
                                           const exchange::Part& part) {
  const auto path = std::filesystem::path(directory) / "report.json";
  std::error_code ignored;  // what is there and cannot be read, reading it says
  if (std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found) {
    text::tell(
        fmt::format("no findings beside the samples: reveal analyze {} would add them", directory));
    return std::vector<exchange::Slice>();
  }
  const auto report = report::load_report(path);
  if (!report) return base::pass(report);
  auto out = tables::report_slices(*report);
  std::erase_if(out, [&](const exchange::Slice& slice) {
    return slice.end_ns < part.from_ns || slice.begin_ns > part.to_ns;
  });
  return out;
}

Result<exchange::Timeline> timeline_of(const ExportArguments& options,
                                       const exchange::Format& format, const exchange::Part& part) {
  exchange::Timeline out;
  if (!format.is_timeline) return out;
  if (options.clock == kMonotonic) out.clock = exchange::Clock::kMonotonic;
  auto slices = found(options.directory, part);
  if (!slices) return base::pass(slices);
  out.slices = std::move(*slices);
  return out;
}

Result<void> export_samples(const ExportArguments& options, const exchange::Format& format,
                            const exchange::Part& part) {
  const bool derived = options.choice.derived || format.is_timeline;
  auto first = replay::ChosenFrames::open(options.directory, part, derived);
  if (!first) return base::pass(first);
  if (auto sound = check_frames(first->frames(), options.directory, part); !sound) return sound;
  tell_damage(first->reader().damage());
  auto timeline = timeline_of(options, format, part);
  if (!timeline) return base::pass(timeline);
  auto second = replay::ChosenFrames::open(options.directory, part, derived);
  if (!second) return base::pass(second);
  exchange::WriterOptions target;
  target.path = options.output;
  target.layout = options.layout == "long" ? exchange::Layout::kLong : exchange::Layout::kWide;
  target.channels = &first->frames().channels();
  target.timeline = std::move(*timeline);
  auto writer = format.make_writer(target);
  if (!writer) return base::pass(writer);
  return replay::copy_frames(second->frames(), **writer);
}

Result<void> export_rows(const ExportArguments& options, const exchange::Format& format,
                         const exchange::Part& part) {
  auto config = options.analysis.config();
  if (!config) return base::pass(config);
  const auto pipeline = replayed(options.directory, std::move(*config), part);
  if (!pipeline) return base::pass(pipeline);
  const auto report = (*pipeline)->analyze();
  if (!report) return base::pass(report);
  auto rows = format.make_rows(options.output);
  if (!rows) return base::pass(rows);
  const auto* table = tables::find_report_table(options.table);
  return table->write({*report, **pipeline}, options.layout == "wide", **rows);
}

Result<void> export_all(const ExportArguments& options) {
  const auto format = format_of(options);
  if (!format) return base::pass(format);
  const auto part = options.choice.part_of(options.directory);
  if (!part) return base::pass(part);
  if (options.clock && !(*format)->is_timeline) {
    return base::fail(ErrorKind::kUsage, "needs --format trace", "--clock",
                      "leave it out: other formats have both clocks");
  }
  if (options.table == kSamples) return export_samples(options, **format, *part);
  if (!options.choice.derived) return export_rows(options, **format, *part);
  return base::fail(ErrorKind::kUsage, "needs --table samples", "--derived",
                    "leave it out: analysis derives anyway");
}

std::vector<std::string> table_names() {
  std::vector<std::string> out{std::string(kSamples)};
  for (const auto& table : tables::report_tables()) out.emplace_back(table.name);
  return out;
}

}  // namespace

Action declare_export(OptionSet& set) {
  auto options = std::make_shared<ExportArguments>();
  set.value("DIR", options->directory, "directory of the recording").required();
  set.value("-o,--output", options->output, "file to write, - for standard output")
      .placeholder("FILE");
  set.value("--format", options->format,
            exchange::written_formats() + " (default: by the file name, or csv)")
      .placeholder("NAME")
      .suggests(exchange::written_formats());
  set.value("--table", options->table,
            "samples, or results of the analysis: windows, features, scores, "
            "findings, evidence")
      .choices(table_names());
  set.value("--layout", options->layout,
            "for samples and features: wide (a row is a tick or window) or long (a row is a "
            "value)")
      .choices({"wide", "long"});
  set.value("--clock", options->clock,
            "for traces: wall (since 1970) or monotonic (CLOCK_MONOTONIC); default: wall")
      .choices({kWall, kMonotonic});
  options->choice.declare(set);
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = export_all(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
