// reveal import: other programs' telemetry as a recording.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "exchange/import.h"
#include "replay/copy_frames.h"
#include "store/segment_writer.h"
#include "text/duration.h"
#include "text/streams.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::cli {
namespace {

constexpr std::int64_t kShortestInterval_ns = 1'000'000;
constexpr std::int64_t kLongestInterval_ns = 86'400'000'000'000;

struct ImportArguments {
  std::string path;
  std::string output;
  std::string format = "auto";
  std::string map;
  std::string interval;
  exchange::ImportOptions import;
};

base::Result<const exchange::Format*> format_of(const ImportArguments& options) {
  if (options.format == "auto") return nullptr;
  const auto* format = exchange::find_format(options.format);
  if (format != nullptr && (format->open_own != nullptr || format->gather != nullptr)) {
    return format;
  }
  return base::fail(base::ErrorKind::kUsage, "is not a format that can be read",
                    "--format " + options.format, "choose from auto, " + exchange::read_formats());
}

base::Result<exchange::ImportOptions> import_options(const ImportArguments& options) {
  exchange::ImportOptions out = options.import;
  if (!options.map.empty()) {
    auto mapping = exchange::load_mapping(options.map);
    if (!mapping) return base::pass(mapping);
    out.mapping = std::move(*mapping);
  }
  if (options.interval.empty()) return out;
  const auto interval = text::parse_duration(options.interval);
  if (!interval || *interval < kShortestInterval_ns || *interval > kLongestInterval_ns) {
    return base::fail(base::ErrorKind::kUsage, "must be from 1ms to 24h",
                      "--interval " + options.interval);
  }
  out.interval_ns = *interval;
  return out;
}

base::Result<void> check_stored(const store::WriterStatus& status) {
  if (status.dropped_frames == 0) return {};
  if (status.first_failure) return base::Unexpected(*status.first_failure);
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("{} frames were not stored", status.dropped_frames));
}

base::Result<void> import_samples(const ImportArguments& options) {
  const auto format = format_of(options);
  if (!format) return base::pass(format);
  const auto chosen = import_options(options);
  if (!chosen) return base::pass(chosen);
  auto import = exchange::Import::open(options.path, *format, *chosen);
  if (!import) return base::pass(import);
  auto writer = store::SegmentWriter::create(options.output);
  if (!writer) return base::pass(writer);
  auto& frames = import->frames();
  const auto copied = replay::copy_frames(frames, *writer);
  for (const auto& remark : import->remarks()) text::tell(remark);
  if (!copied) return copied;
  if (auto stored = check_stored(writer->status()); !stored) return stored;
  text::tell(fmt::format("{}: {} of {}, every {}, of host {}", options.output,
                         text::plural(writer->status().stored_frames, "frame"),
                         text::plural(frames.channels().channel_count(), "channel"),
                         text::span_text(frames.facts().interval_ns), frames.facts().host));
  return {};
}

}  // namespace

Action declare_import(OptionSet& set) {
  auto options = std::make_shared<ImportArguments>();
  set.value("PATH", options->path, "file of samples, or directory of such files of one host")
      .required();
  set.value("-o,--output", options->output, "directory for the recording")
      .placeholder("DIR")
      .required();
  set.value("--format", options->format, "auto (by the file name), " + exchange::read_formats())
      .placeholder("NAME")
      .suggests("auto, " + exchange::read_formats());
  set.value("--map", options->map,
            "TOML file that describes the channels (docs/how_to/exchange.md)")
      .placeholder("FILE");
  set.value("--time-column", options->import.time_column,
            "column of the times (default: the one named time, timestamp, ..., or else the first)");
  set.value("--host", options->import.host,
            "name of the host; if the file has several, the one to take");
  set.value("--interval", options->interval,
            "time between ticks (default: the median distance of samples)")
      .placeholder("TIME");
  return [options](const Invocation&) {
    const auto done = import_samples(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
