#include "exchange/filtered_source.h"

#include <algorithm>

#include "exchange/mapping.h"

namespace reveal::exchange {

using model::ChannelId;

base::Result<const model::Frame*> FilteredSource::next() {
  for (;;) {
    const auto frame = whole_.next();
    if (!frame || *frame == nullptr) return frame;
    grow((*frame)->bits.size());
    if ((*frame)->wall_ns > part_.to_ns) continue;  // a step of the clock may lead back
    if (!begun_ && (*frame)->wall_ns < part_.from_ns) {
      for (const auto& note : (*frame)->notes) held_.apply(note);
      skipped_ = true;
      continue;
    }
    if ((*frame)->wall_ns < part_.from_ns) continue;
    take(**frame);
    return &frame_;
  }
}

bool FilteredSource::is_chosen(ChannelId id) const {
  const std::string name = whole_.channels().name(id);
  if (part_.names && !part_.names->contains(name)) return false;
  if (part_.channels.empty()) return true;
  const std::string metric(whole_.channels().metric(id).name);
  return std::any_of(part_.channels.begin(), part_.channels.end(), [&](const auto& pattern) {
    return matches(pattern, metric) || matches(pattern, name);
  });
}

void FilteredSource::grow(std::size_t count) {
  const auto& whole = whole_.channels();
  for (; seen_ < count; ++seen_) {
    const ChannelId id(seen_);
    if (!is_chosen(id)) continue;
    channels_.add_channel(channels_.add_metric(whole.metric(id)), whole.channel(id).instance);
    origin_.push_back(seen_);
    if (sources_.size() < channels_.source_count()) sources_.push_back(whole.source(id).index());
  }
}

void FilteredSource::begin(const model::Frame& frame) {
  begun_ = true;
  if (!skipped_) return;
  first_sequence_ = frame.sequence;
  frame_.gap = model::kNoGap;
  auto notes = held_.notes();
  notes.insert(notes.end(), frame_.notes.begin(), frame_.notes.end());
  frame_.notes = std::move(notes);
}

void FilteredSource::take(const model::Frame& frame) {
  frame_.wall_ns = frame.wall_ns;
  frame_.mono_ns = frame.mono_ns;
  frame_.cost_ns = frame.cost_ns;
  frame_.gap = frame.gap;
  frame_.notes = frame.notes;
  if (!begun_) begin(frame);
  frame_.sequence = frame.sequence - first_sequence_;
  frame_.bits.clear();
  frame_.validity.clear();
  for (const std::size_t origin : origin_) {
    if (origin >= frame.bits.size()) break;
    frame_.bits.push_back(frame.bits[origin]);
    frame_.validity.push_back(frame.validity[origin]);
  }
  frame_.read_ns.clear();
  for (const std::size_t source : sources_) {
    frame_.read_ns.push_back(frame.read_ns_of(model::SourceId(source)));
  }
}

}  // namespace reveal::exchange
