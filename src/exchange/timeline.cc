#include "exchange/timeline.h"

namespace reveal::exchange {

std::int64_t frame_time(const model::Frame& frame, Clock clock) {
  return clock == Clock::kWall ? frame.wall_ns : frame.mono_ns;
}

ClockConverter::ClockConverter(const Timeline& timeline) : clock_(timeline.clock) {
  for (const auto& slice : timeline.slices) {
    offset_of_[slice.begin_ns] = 0;
    offset_of_[slice.end_ns] = 0;
  }
  next_ = offset_of_.begin();
}

void ClockConverter::step(const model::Frame& frame) {
  const std::int64_t offset = frame_time(frame, clock_) - frame.wall_ns;
  for (; next_ != offset_of_.end() && next_->first < frame.wall_ns; ++next_) {
    next_->second = begun_ ? latest_offset_ : offset;
  }
  begun_ = true;
  latest_offset_ = offset;
}

std::int64_t ClockConverter::of(std::int64_t wall_ns) const {
  const bool passed = next_ == offset_of_.end() || wall_ns < next_->first;
  return wall_ns + (passed ? offset_of_.at(wall_ns) : latest_offset_);
}

}  // namespace reveal::exchange
