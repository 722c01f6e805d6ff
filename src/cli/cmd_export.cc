// reveal export: a recording as text for other programs.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/copy_frames.h"
#include "cli/derived_source.h"
#include "cli/exit_status.h"
#include "cli/moment.h"
#include "cli/output.h"
#include "cli/streams.h"
#include "exchange/filtered_source.h"
#include "exchange/format.h"
#include "store/segment_reader.h"

namespace reveal::cli {
namespace {

struct Options {
  std::string directory;
  std::string output = "-";
  std::string format;
  std::string layout = "wide";
  std::string from;
  std::string to;
  std::vector<std::string> channels;
  bool derived = false;
};

// The frames of a recording as the options ask for them; made anew for each of the two passes.
class ChosenFrames {
 public:
  static base::Result<ChosenFrames> open(const Options& options, const exchange::Part& part) {
    auto reader = store::SegmentReader::open(options.directory);
    if (!reader) return base::Unexpected(reader.error());
    ChosenFrames out;
    out.reader_ = std::make_unique<store::SegmentReader>(std::move(*reader));
    model::FrameSource* whole = out.reader_.get();
    if (options.derived) {
      out.derived_ = std::make_unique<DerivedSource>(*whole);
      whole = out.derived_.get();
    }
    out.filtered_ = std::make_unique<exchange::FilteredSource>(*whole, part);
    return out;
  }

  model::FrameSource& frames() { return *filtered_; }
  const store::SegmentReader& reader() const { return *reader_; }

 private:
  std::unique_ptr<store::SegmentReader> reader_;
  std::unique_ptr<DerivedSource> derived_;
  std::unique_ptr<exchange::FilteredSource> filtered_;
};

struct Span {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

base::Result<Span> span_of(const std::string& directory) {
  auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::Unexpected(reader.error());
  std::optional<Span> out;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::Unexpected(frame.error());
    if (*frame == nullptr) break;
    if (!out) out = Span{(*frame)->wall_ns, (*frame)->wall_ns};
    out->end_ns = (*frame)->wall_ns;
  }
  if (out) return *out;
  return base::fail(base::ErrorKind::kTooLittle, "no frame in this recording", directory);
}

base::Result<exchange::Part> part_of(const Options& options) {
  exchange::Part part;
  part.channels = options.channels;
  if (options.from.empty() && options.to.empty()) return part;
  const auto span = span_of(options.directory);
  if (!span) return base::Unexpected(span.error());
  for (const auto& [text, ns] :
       {std::pair{&options.from, &part.from_ns}, {&options.to, &part.to_ns}}) {
    if (text->empty()) continue;
    const auto moment = parse_moment(*text, span->begin_ns, span->end_ns);
    if (!moment) return base::Unexpected(moment.error());
    *ns = *moment;
  }
  return part;
}

// Reads all frames, for what a header must say: the channels that there will be.
base::Result<void> check_frames(model::FrameSource& source, const std::string& directory) {
  std::uint64_t frames = 0;
  for (;; ++frames) {
    const auto frame = source.next();
    if (!frame) return base::Unexpected(frame.error());
    if (*frame == nullptr) break;
  }
  if (source.channels().channel_count() == 0) {
    return base::fail(base::ErrorKind::kUsage, "no channel has such a name", directory,
                      "reveal export DIR --format csv | head -1 shows the names");
  }
  if (frames > 0) return {};
  return base::fail(base::ErrorKind::kUsage, "no frame of this recording is in that time",
                    directory, "leave out --from and --to");
}

base::Result<const exchange::Format*> format_of(const Options& options) {
  const auto* format =
      options.format.empty()
          ? exchange::format_of_file(options.output == "-" ? "x.csv" : options.output)
          : exchange::find_format(options.format);
  if (format != nullptr && format->make_writer != nullptr) return format;
  return base::fail(base::ErrorKind::kUsage, "is no format that is written",
                    options.format.empty() ? options.output : "--format " + options.format,
                    "choose --format from " + exchange::written_formats());
}

base::Result<void> export_samples(const Options& options) {
  const auto format = format_of(options);
  if (!format) return base::Unexpected(format.error());
  const auto part = part_of(options);
  if (!part) return base::Unexpected(part.error());
  auto first = ChosenFrames::open(options, *part);
  if (!first) return base::Unexpected(first.error());
  if (auto sound = check_frames(first->frames(), options.directory); !sound) return sound;
  auto second = ChosenFrames::open(options, *part);
  if (!second) return base::Unexpected(second.error());
  exchange::WriterOptions target;
  target.path = options.output;
  target.layout = options.layout == "long" ? exchange::Layout::kLong : exchange::Layout::kWide;
  target.channels = &first->frames().channels();
  auto writer = (*format)->make_writer(target);
  if (!writer) return base::Unexpected(writer.error());
  return copy_frames(second->frames(), **writer);
}

}  // namespace

Action declare_export(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("DIR", options->directory, "directory of the recording")->required();
  app.add_option("-o,--output", options->output, "file to write, - for standard output")
      ->capture_default_str();
  app.add_option("--format", options->format,
                 exchange::written_formats() + " (default: as the file's name ends, else csv)");
  app.add_option("--layout", options->layout, "wide (a row is a tick) or long (a row is a sample)")
      ->check(CLI::IsMember({"wide", "long"}))
      ->capture_default_str();
  app.add_option("--from", options->from,
                 "first moment: a date, seconds since 1970, +90s from the start, -5m from the end");
  app.add_option("--to", options->to, "last moment, likewise");
  app.add_option("--channels", options->channels,
                 "shell pattern of metrics or channels, such as 'cpu_*' or '*{dev=sda}'; can be "
                 "given again")
      ->allow_extra_args(false);
  app.add_flag("--derived", options->derived,
               "signals in base units and derived metrics instead of raw samples");
  return [options](const Invocation&) {
    const auto done = export_samples(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
