// How a saturation signal of a host lay above its peers in its last windows, and when that makes
// the host slow.
//
// A window is **beyond** if the rise is above its limit and its least rise. A rise **goes on**
// while three of the last five windows are beyond. It is **held** if the newest one is, and three
// of the last five seconds by themselves: a single second cannot make it so, however high it is.
// Errors and drops are counted, and come at once: for these it is enough that the rise goes on. It
// is **strong** if the newest window is beyond, and two of the last three seconds by three times as
// much. It **lasts** if it goes on, twelve of the last sixteen windows were beyond, and it has not
// **faded**: to less than half of its peak, of which two hundredths are forgotten a window. What is
// left of a blow that dies away is no fault that goes on.
//
// Many quantities are far above their peers for some seconds now and then, and it means nothing.
// Each such **brief rise**, by a quarter of the least rise or more, makes its quantity **restless**
// in the whole group for a day.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace reveal::peers {

// Windows and seconds of which kBeyond must be beyond.
inline constexpr int kLastSeconds = 5;
inline constexpr int kBeyond = 3;
inline constexpr unsigned kLastWindows = (1U << kLastSeconds) - 1;
// Of a strong one: seconds, of so many, and by how many times the limit and the least rise.
inline constexpr int kStrongSeconds = 2;
inline constexpr int kLastOfStrong = 3;
inline constexpr double kStrong = 3;
// Of the last sixteen windows; and a rise that is over sooner was brief.
inline constexpr int kLasting = 12;
// Of its peak, below which a rise has faded, and of which this is kept a window: faster than that
// nothing dies away that an operator would look for, and a peak at the begin hides a plateau of a
// third for 21 windows.
inline constexpr float kFaded = 0.5F;
inline constexpr float kPeakKept = 0.98F;
inline constexpr int kLongestBrief_s = 16;
// Of the least rise, from which on a brief rise counts.
inline constexpr double kBriefRise = 0.25;
inline constexpr std::int64_t kRestless_ns = std::int64_t{86'400} * 1'000'000'000;

class RecentRise {
 public:
  // Takes a window. Returns whether a brief rise ended before it.
  bool take(double rise, double limit, double least_rise) {
    const bool is_beyond = rise > limit && rise >= least_rise;
    windows_ = static_cast<std::uint16_t>(windows_ << 1 | (is_beyond ? 1 : 0));
    const auto height = static_cast<float>(rise);
    peak_ = windows_ == 0 ? 0 : std::max(height, kPeakKept * peak_);
    has_faded_ = height < kFaded * peak_;
    // Its own first windows may raise the limit.
    const bool has_begun = risen_s_ > 0 || rise > limit;
    if (has_begun && rise >= kBriefRise * least_rise) {
      if (risen_s_ <= kLongestBrief_s) ++risen_s_;
      return false;
    }
    const bool was_brief = risen_s_ > 0 && risen_s_ <= kLongestBrief_s;
    risen_s_ = 0;
    return was_brief;
  }

  // Returns whether a window without a rise leaves it as it is.
  bool is_at_rest() const { return windows_ == 0 && risen_s_ == 0; }
  bool is_beyond() const { return (windows_ & 1U) != 0; }
  bool goes_on() const { return std::popcount(windows_ & kLastWindows) >= kBeyond; }
  bool lasts() const { return is_long() && !has_faded_; }
  // Returns how many windows ago the first one of it was beyond.
  int since() const {
    const auto which = static_cast<unsigned>(is_long() ? windows_ : windows_ & kLastWindows);
    return static_cast<int>(std::bit_width(which)) - 1;
  }

 private:
  bool is_long() const { return goes_on() && std::popcount(windows_) >= kLasting; }

  std::uint16_t windows_ = 0;  // the last ones, a bit each: beyond or not
  std::uint8_t risen_s_ = 0;   // for how long it has been a rise that counts; no more than too long
  bool has_faded_ = false;
  float peak_ = 0;  // since the oldest of those windows that was beyond
};

}  // namespace reveal::peers
