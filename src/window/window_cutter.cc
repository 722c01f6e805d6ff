#include "window/window_cutter.h"

#include <algorithm>
#include <limits>

namespace reveal::window {

WindowCutter::WindowCutter(const WindowSpec& spec)
    : spec_(spec), ticks_(spec.ticks()), stride_(spec.stride_ticks()), slots_(ticks_) {}

bool WindowCutter::begin_tick(std::uint64_t sequence) {
  if (!started_) {
    started_ = true;
    first_sequence_ = sequence;
    return true;
  }
  return sequence > first_sequence_ + last_tick_;
}

void WindowCutter::store(std::uint64_t tick, std::int64_t wall_ns, std::span<const double> row) {
  Slot& slot = slots_[tick % ticks_];
  slot.used = true;
  slot.tick = tick;
  slot.wall_ns = wall_ns;
  slot.values.assign(row.begin(), row.end());
  channels_ = std::max(channels_, row.size());
  last_tick_ = tick;
}

std::uint64_t WindowCutter::windows_within(std::uint64_t ticks_passed) const {
  if (ticks_passed < ticks_) return 0;
  return (ticks_passed - ticks_) / stride_ + 1;
}

std::optional<WindowView> WindowCutter::next_window(std::uint64_t ticks_passed) {
  const std::uint64_t complete = windows_within(ticks_passed);
  while (next_ < complete) {
    if (next_ * stride_ > last_tick_) {  // this one and all after it lie in the gap
      skipped_ += complete - next_;
      next_ = complete;
      break;
    }
    if (auto view = cut(next_++)) return view;
    ++skipped_;
  }
  return std::nullopt;
}

WindowCutter::Slot* WindowCutter::find(std::uint64_t tick) {
  Slot& slot = slots_[tick % ticks_];
  return slot.used && slot.tick == tick ? &slot : nullptr;
}

std::optional<WindowView> WindowCutter::cut(std::uint64_t window) {
  const std::uint64_t begin = window * stride_;
  WindowSpan span;
  span.id = WindowId(window);
  span.first_sequence = first_sequence_ + begin;
  bool timed = false;
  for (std::uint64_t tick = begin; tick < begin + ticks_; ++tick) {
    const Slot* slot = find(tick);
    if (slot == nullptr) {
      ++span.missing_ticks;
    } else if (!timed) {
      span.begin_ns = slot->wall_ns - static_cast<std::int64_t>(tick - begin) * spec_.interval_ns;
      timed = true;
    }
  }
  if (2 * span.missing_ticks > ticks_) return std::nullopt;
  span.end_ns = span.begin_ns + spec_.length_ns;
  fill(begin);
  return WindowView(span, rows_, channels_);
}

// Rows from before a channel appeared are made as long as the others.
void WindowCutter::fill(std::uint64_t begin) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  missing_.resize(channels_, kNone);
  rows_.clear();
  for (std::uint64_t tick = begin; tick < begin + ticks_; ++tick) {
    Slot* slot = find(tick);
    if (slot != nullptr) slot->values.resize(channels_, kNone);
    rows_.push_back(slot == nullptr ? missing_.data() : slot->values.data());
  }
}

}  // namespace reveal::window
