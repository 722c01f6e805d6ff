// The windows before the one at hand, for features that compare with what was before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "window/window_view.h"

namespace reveal::feature {

// The samples of a window that is over: NaN if there is none that counts.
class PastWindow {
 public:
  explicit PastWindow(const window::WindowView& window)
      : end_(window.span().first_sequence + window.tick_count()),
        ticks_(window.tick_count()),
        channels_(window.channel_count()),
        samples_(ticks_ * channels_, std::numeric_limits<double>::quiet_NaN()) {}

  // Returns the sequence number of the first tick after it.
  std::uint64_t end_sequence() const { return end_; }
  std::size_t tick_count() const { return ticks_; }
  // Returns NaN for a channel that was not there yet.
  double at(std::size_t tick, std::size_t channel) const {
    return channel < channels_ ? samples_[tick * channels_ + channel]
                               : std::numeric_limits<double>::quiet_NaN();
  }
  // Copies a channel's finite samples.
  void keep(const window::WindowView& window, std::size_t channel);

 private:
  std::uint64_t end_;
  std::size_t ticks_;
  std::size_t channels_;
  std::vector<double> samples_;  // tick by tick
};

// As many of them as it takes to have the last one that shares no tick with the next: one if
// windows do not overlap, else length / stride.
class PastWindows {
 public:
  void add(PastWindow window) { windows_.push_back(std::move(window)); }
  // Returns the last one that ended where `next` begins or before, null if there is none, and
  // drops those before it. REQUIRES: each call's window begins no earlier than that of the last.
  const PastWindow* before(const window::WindowSpan& next);

 private:
  std::deque<PastWindow> windows_;  // in the order of their ends
};

}  // namespace reveal::feature
