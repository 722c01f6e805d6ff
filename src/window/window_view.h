// One window of one run: the last few seconds of every channel, cut on the tick axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"

namespace reveal::window {

using WindowId = base::StrongId<struct WindowTag>;

// How a run is cut (paper, section 4.2: 3 s windows every 1 s at 100 ms).
struct WindowSpec {
  std::int64_t interval_ns = 100'000'000;
  std::int64_t length_ns = 3'000'000'000;
  std::int64_t stride_ns = 1'000'000'000;

  std::size_t ticks() const { return static_cast<std::size_t>(length_ns / interval_ns); }
  std::size_t stride_ticks() const { return static_cast<std::size_t>(stride_ns / interval_ns); }

  // Fails unless interval, length and stride are positive, length and stride are whole multiples of
  // the interval, the length holds from kMinTicks to kMaxTicks samples, and the stride is not
  // above it.
  base::Result<void> check() const;
  // Fails if the length holds more than kMaxTicks samples, or the interval is not positive.
  base::Result<void> check_most() const;

  static constexpr std::size_t kMinTicks = 5;
  // A day of ten samples a second. A window is held in memory, all channels of it.
  static constexpr std::size_t kMaxTicks = 1'000'000;
  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

// The identity and time of a window, kept after its samples are gone.
struct WindowSpan {
  WindowId id;
  std::int64_t begin_ns = 0;  // wall time of its first tick
  std::int64_t end_ns = 0;    // begin_ns + length
  std::uint64_t first_sequence = 0;
  std::size_t missing_ticks = 0;  // ticks of the window without a frame
  // Most of its ticks are missing: in their place are means over the gap (WindowCutter), so of how
  // samples vary nothing is known.
  bool holds_means = false;
};

// The samples of a window. Valid until the cutter that made it is used again.
class WindowView {
 public:
  // `rows` are the ticks, oldest first, each with a value for every channel: NaN if there is
  // none.
  WindowView(WindowSpan span, std::span<const double* const> rows, std::size_t channels)
      : span_(span), rows_(rows), channels_(channels) {}

  const WindowSpan& span() const { return span_; }
  std::size_t channel_count() const { return channels_; }
  std::size_t tick_count() const { return rows_.size(); }
  // Returns the channels' samples of a tick, the oldest being tick 0.
  const double* row(std::size_t tick) const { return rows_[tick]; }
  std::span<const double* const> rows() const { return rows_; }

 private:
  WindowSpan span_;
  std::span<const double* const> rows_;
  std::size_t channels_;
};

}  // namespace reveal::window
