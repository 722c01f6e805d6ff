#include "exchange/filtered_source.h"

#include <algorithm>

#include "exchange/mapping.h"

namespace reveal::exchange {

bool is_chosen(const Part& part, std::string_view metric, std::string_view instance) {
  std::string name(metric);
  if (!instance.empty()) name += '{' + std::string(instance) + '}';
  if (part.names && !part.names->contains(name)) return false;
  if (part.channels.empty()) return true;
  return std::any_of(part.channels.begin(), part.channels.end(), [&](const auto& pattern) {
    return matches(pattern, std::string(metric)) || matches(pattern, name);
  });
}

FilteredSource::FilteredSource(model::FrameSource& whole, Part part)
    : whole_(whole), part_(std::move(part)), filter_([this](const model::ChannelTable& channels) {
        std::vector<bool> keep;
        for (std::size_t i = 0; i < channels.channel_count(); ++i) {
          const model::ChannelId id(i);
          keep.push_back(is_chosen(part_, channels.metric(id).name, channels.channel(id).instance));
        }
        return keep;
      }) {}

base::Result<const model::Frame*> FilteredSource::next() {
  for (;;) {
    const auto frame = whole_.next();
    if (!frame || *frame == nullptr) return frame;
    if ((*frame)->wall_ns > part_.to_ns) continue;  // a step of the clock may lead back
    if (!begun_ && (*frame)->wall_ns < part_.from_ns) {
      for (const auto& note : (*frame)->notes) held_.apply(note);
      continue;
    }
    if ((*frame)->wall_ns < part_.from_ns) continue;
    take(**frame);
    return &frame_;
  }
}

void FilteredSource::begin(const model::Frame& frame) {
  begun_ = true;
  if (part_.from_ns == Part().from_ns) return;
  first_sequence_ = frame.sequence;
  frame_.gap = model::kNoGap;
  auto notes = held_.notes();
  notes.insert(notes.end(), frame_.notes.begin(), frame_.notes.end());
  frame_.notes = std::move(notes);
}

void FilteredSource::take(const model::Frame& frame) {
  frame_ = filter_.apply(whole_.channels(), frame);
  if (!begun_) begin(frame);
  frame_.sequence = frame.sequence - first_sequence_;
}

}  // namespace reveal::exchange
