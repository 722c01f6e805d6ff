#include "window/window_cutter.h"

#include <algorithm>
#include <cmath>
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

std::uint64_t WindowCutter::bridgeable(std::uint64_t tick) {
  while (!gaps_.empty() && gaps_.front().end <= next_ * stride_) gaps_.pop_front();
  const std::uint64_t missing = tick > last_tick_ ? tick - last_tick_ - 1 : 0;
  const auto longest = static_cast<std::uint64_t>(kLongestBridged_ns / spec_.interval_ns);
  return missing <= longest ? missing : 0;
}

std::uint64_t WindowCutter::windows_within(std::uint64_t ticks_passed) const {
  if (ticks_passed < ticks_) return 0;
  return (ticks_passed - ticks_) / stride_ + 1;
}

std::optional<WindowView> WindowCutter::next_window(std::uint64_t ticks_passed) {
  const std::uint64_t complete = windows_within(ticks_passed);
  while (next_ < complete) {
    const std::uint64_t begin = next_ * stride_;
    if (begin > last_tick_ && gap_of(begin) == nullptr) {  // all from here on lie in the gap
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

void WindowCutter::keep_gap(Gap gap, std::span<const double> row) {
  gap.after = gap.means;
  gap.after.resize(row.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(gap.after[i])) gap.after[i] = row[i];
  }
  gaps_.push_back(std::move(gap));
}

WindowCutter::Gap* WindowCutter::gap_before(std::uint64_t tick) {
  const auto found = std::ranges::find(gaps_, tick, &Gap::end);
  return found == gaps_.end() ? nullptr : &*found;
}

WindowCutter::Gap* WindowCutter::gap_of(std::uint64_t tick) {
  const auto holds = [tick](const Gap& gap) { return tick >= gap.begin && tick < gap.end; };
  const auto found = std::ranges::find_if(gaps_, holds);
  return found == gaps_.end() ? nullptr : &*found;
}

std::optional<WindowView> WindowCutter::cut(std::uint64_t window) {
  const std::uint64_t begin = window * stride_;
  WindowSpan span;
  span.id = WindowId(window);
  span.first_sequence = first_sequence_ + begin;
  std::size_t unknown = 0;
  for (std::uint64_t tick = begin; tick < begin + ticks_; ++tick) {
    if (find(tick) != nullptr) continue;
    ++span.missing_ticks;
    if (gap_of(tick) == nullptr) ++unknown;
  }
  if (2 * unknown > ticks_) return std::nullopt;
  span.begin_ns = wall_ns_of(begin);
  span.end_ns = span.begin_ns + spec_.length_ns;
  span.holds_means = 2 * span.missing_ticks > ticks_;
  fill(begin, span.holds_means);
  return WindowView(span, rows_, channels_);
}

// Returns the wall time of a window's first tick, by the first of its ticks whose time is known.
std::int64_t WindowCutter::wall_ns_of(std::uint64_t begin) {
  const auto before = [&](std::uint64_t tick) {
    return static_cast<std::int64_t>(tick - begin) * spec_.interval_ns;
  };
  for (std::uint64_t tick = begin; tick < begin + ticks_; ++tick) {
    if (const Slot* slot = find(tick)) return slot->wall_ns - before(tick);
  }
  const Gap* gap = gap_of(begin);
  return gap->wall_ns - before(gap->end);
}

const double* WindowCutter::row_of(std::uint64_t tick, bool bridged) {
  if (bridged) {
    if (Gap* gap = gap_of(tick)) return filled(gap->means);
    if (Gap* gap = gap_before(tick)) return filled(gap->after);
  }
  Slot* slot = find(tick);
  return slot == nullptr ? missing_.data() : filled(slot->values);
}

const double* WindowCutter::filled(std::vector<double>& values) {
  values.resize(channels_, std::numeric_limits<double>::quiet_NaN());
  return values.data();
}

// Rows from before a channel appeared are made as long as the others.
void WindowCutter::fill(std::uint64_t begin, bool bridged) {
  missing_.resize(channels_, std::numeric_limits<double>::quiet_NaN());
  rows_.clear();
  for (std::uint64_t tick = begin; tick < begin + ticks_; ++tick) {
    rows_.push_back(row_of(tick, bridged));
  }
}

}  // namespace reveal::window
