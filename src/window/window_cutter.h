// Cuts a stream of rows, one a tick, into overlapping windows.
//
// Windows are anchored on the tick axis, not on the clock and not on the rows that came: window k
// covers the ticks [first + k * stride, first + k * stride + length), if `first` is the first
// sequence pushed. So an id names the same time in a live run and in its replay, whatever was lost
// in between. Ticks that never came are NaN in every channel. A recorder that gets no processor
// misses ticks just when its host is in trouble, and counters tell afterwards what happened
// meanwhile: in a window that misses more than half of its ticks, those of a gap of at most
// kLongestBridged_ns hold what the channels had in the gap on average. If even that is not known
// of more than half, the window is skipped, but keeps its id. A longer gap costs no time, however
// long: slots remember which tick they hold, so nothing has to be cleared.
//
// A window comes out as soon as its last tick is pushed, or a later one. What is incomplete when
// the rows end never comes out. In the steady state a tick allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "window/window_view.h"

namespace reveal::window {

class WindowCutter {
 public:
  static constexpr std::int64_t kLongestBridged_ns = 60'000'000'000;

  // REQUIRES: spec.check() succeeds.
  explicit WindowCutter(const WindowSpec& spec);

  // Takes the values of one tick by channel, NaN if there is none, and calls on_window(const
  // WindowView&) for each window that is complete now, oldest first. Rows may grow: channels
  // that a row does not reach are NaN in its tick. A tick that is not after the last one is
  // ignored. If ticks are missing before it, means_of(their number) returns what the channels had
  // in each of them on average, NaN if that is not known, or nothing at all.
  template <typename OnWindow, typename MeansOf>
  void push(std::uint64_t sequence, std::int64_t wall_ns, std::span<const double> row,
            OnWindow&& on_window, MeansOf&& means_of) {
    if (!begin_tick(sequence)) return;
    const std::uint64_t tick = sequence - first_sequence_;
    if (const auto missing = bridgeable(tick); missing > 0) {
      std::vector<double> means = means_of(missing);
      if (!means.empty()) keep_gap({tick - missing, tick, wall_ns, std::move(means), {}}, row);
    }
    while (const auto view = next_window(tick)) on_window(*view);  // ended in the gap before it
    store(tick, wall_ns, row);
    while (const auto view = next_window(tick + 1)) on_window(*view);
  }

  // Returns how many windows were not given out because nothing is known of more than half of their
  // ticks.
  std::uint64_t skipped() const { return skipped_; }

 private:
  struct Slot {
    bool used = false;
    std::uint64_t tick = 0;  // since the first
    std::int64_t wall_ns = 0;
    std::vector<double> values;
  };

  struct Gap {
    std::uint64_t begin = 0;   // its first tick
    std::uint64_t end = 0;     // the tick after it, which came
    std::int64_t wall_ns = 0;  // of that tick
    std::vector<double> means;
    // What the tick after it has in a window that holds the means: of events only its own part.
    std::vector<double> after;
  };

  bool begin_tick(std::uint64_t sequence);
  // Returns how many ticks are missing before `tick`; 0 if that is too long to be bridged.
  std::uint64_t bridgeable(std::uint64_t tick);
  void store(std::uint64_t tick, std::int64_t wall_ns, std::span<const double> row);
  // Returns the next window that ends within the first `ticks_passed` ticks, if one is left.
  std::optional<WindowView> next_window(std::uint64_t ticks_passed);
  std::uint64_t windows_within(std::uint64_t ticks_passed) const;
  std::optional<WindowView> cut(std::uint64_t window);
  // Returns the slot that holds `tick`, or nullptr if that tick is missing.
  Slot* find(std::uint64_t tick);
  void keep_gap(Gap gap, std::span<const double> row);
  // Returns the bridged gap that `tick` lies in, if any, and the one that it ended.
  Gap* gap_of(std::uint64_t tick);
  Gap* gap_before(std::uint64_t tick);
  std::int64_t wall_ns_of(std::uint64_t begin);
  const double* row_of(std::uint64_t tick, bool bridged);
  const double* filled(std::vector<double>& values);
  void fill(std::uint64_t begin, bool bridged);

  WindowSpec spec_;
  std::size_t ticks_;
  std::size_t stride_;
  std::vector<Slot> slots_;          // a ring: tick t lies in slot t % ticks_
  std::vector<const double*> rows_;  // of the window given out last
  std::vector<double> missing_;      // a row of NaN
  std::deque<Gap> gaps_;             // that later windows may reach into
  std::size_t channels_ = 0;         // the longest row so far
  bool started_ = false;
  std::uint64_t first_sequence_ = 0;
  std::uint64_t last_tick_ = 0;
  std::uint64_t next_ = 0;  // the next window's number
  std::uint64_t skipped_ = 0;
};

}  // namespace reveal::window
