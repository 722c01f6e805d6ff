#include "cli/chosen_frames.h"

#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/moment.h"

namespace reveal::cli {
namespace {

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

}  // namespace

void FrameChoice::declare(CLI::App& app) {
  app.add_option("--from", from,
                 "first moment: a date, seconds since 1970, +90s from the start, -5m from the end");
  app.add_option("--to", to, "last moment, likewise");
  app.add_option("--channels", channels,
                 "shell pattern of metrics or channels, such as 'cpu_*' or '*{dev=sda}'; can be "
                 "given again")
      ->allow_extra_args(false);
  app.add_flag("--derived", derived,
               "signals in base units and derived metrics instead of raw samples");
}

base::Result<exchange::Part> FrameChoice::part_of(const std::string& directory) const {
  exchange::Part part;
  part.channels = channels;
  if (from.empty() && to.empty()) return part;
  const auto span = span_of(directory);
  if (!span) return base::Unexpected(span.error());
  for (const auto& [text, ns] : {std::pair{&from, &part.from_ns}, {&to, &part.to_ns}}) {
    if (text->empty()) continue;
    const auto moment = parse_moment(*text, span->begin_ns, span->end_ns);
    if (!moment) return base::Unexpected(moment.error());
    *ns = *moment;
  }
  return part;
}

base::Result<ChosenFrames> ChosenFrames::open(const std::string& directory,
                                              const exchange::Part& part, bool derived) {
  auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::Unexpected(reader.error());
  ChosenFrames out;
  out.reader_ = std::make_unique<store::SegmentReader>(std::move(*reader));
  model::FrameSource* whole = out.reader_.get();
  if (derived) {
    out.derived_ = std::make_unique<DerivedSource>(*whole);
    whole = out.derived_.get();
  }
  out.filtered_ = std::make_unique<exchange::FilteredSource>(*whole, part);
  return out;
}

}  // namespace reveal::cli
