#include "replay/chosen_frames.h"

#include <utility>

#include "replay/time_point.h"

namespace reveal::replay {
namespace {

// What need not even be read for a part. Derived metrics are made of channels that it may not name.
store::ReadOptions needed_for(const exchange::Part& part, bool derived) {
  store::ReadOptions options;
  // Both ends belong to a part.
  if (part.from_ns != exchange::Part().from_ns) options.from_ns = part.from_ns;
  if (part.to_ns != exchange::Part().to_ns) options.to_ns = part.to_ns + 1;
  if (derived || (part.channels.empty() && !part.names)) return options;
  options.wanted = [part](const model::MetricDescriptor& metric, std::string_view instance) {
    return exchange::is_chosen(part, metric.name, instance);
  };
  return options;
}

}  // namespace

base::Result<exchange::Part> FrameChoice::part_of(const std::string& directory) const {
  exchange::Part part;
  part.channels = channels;
  if (from.empty() && to.empty()) return part;
  const auto span = store::wall_span(directory);
  if (!span) return base::pass(span);
  for (const auto& [text, ns] : {std::pair{&from, &part.from_ns}, {&to, &part.to_ns}}) {
    if (text->empty()) continue;
    const auto time = parse_time_point(*text, span->begin_ns, span->end_ns);
    if (!time) return base::pass(time);
    *ns = *time;
  }
  return part;
}

base::Result<ChosenFrames> ChosenFrames::open(const std::string& directory,
                                              const exchange::Part& part, bool derived) {
  auto reader = store::SegmentReader::open(directory, needed_for(part, derived));
  if (!reader) return base::pass(reader);
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

}  // namespace reveal::replay
