// What a timeline shows beside the samples, and on which clock.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/frame.h"

namespace reveal::exchange {

// Of a frame: wall_ns, or mono_ns.
enum class Clock : std::uint8_t { kWall, kMonotonic };

// A span of time that has a name. Slices of one row must not overlap.
struct Slice {
  std::string row;            // its name
  std::string name;           // of the slice
  std::int64_t begin_ns = 0;  // wall time, ns since the epoch
  std::int64_t end_ns = 0;
  std::string args;  // what else is to be said, a JSON object
};

struct Timeline {
  Clock clock = Clock::kWall;
  std::vector<Slice> slices;  // those of a row together, rows in the order to be shown in
};

// Returns the frame's time on that clock.
std::int64_t frame_time(const model::Frame& frame, Clock clock);

// Converts wall times to the clock of a timeline, by the frames around them.
class ClockConverter {
 public:
  // Knows the begins and the ends of the timeline's slices.
  explicit ClockConverter(const Timeline& timeline);
  ClockConverter(const ClockConverter&) = delete;
  ClockConverter& operator=(const ClockConverter&) = delete;

  // Takes the next frame.
  void step(const model::Frame& frame);

  // Returns a begin or an end of a slice on the clock, as far from it as at the last frame that is
  // not later (the first frame if all are later). REQUIRES: at least one frame.
  std::int64_t of(std::int64_t wall_ns) const;

 private:
  Clock clock_;
  std::map<std::int64_t, std::int64_t> offset_of_;  // by wall time, once it is passed
  std::map<std::int64_t, std::int64_t>::iterator next_;
  bool begun_ = false;
  std::int64_t latest_offset_ = 0;
};

}  // namespace reveal::exchange
