// What a process used between two readings of it, and the form in which recordings keep it: an
// event of kProcessSource for each of the largest, with the process's name as subject. A process
// that had been busy and is stopped has one, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/frame.h"

namespace reveal::model {

inline constexpr std::string_view kProcessSource = "process";  // the collector's name
// The fact that holds while processes are recorded. It has a text as long as they are.
inline constexpr std::string_view kProcessFact = "processes";

// At most so many are kept of a reading by each measure, and none below these. A process that is
// not kept used less, or less than each of those that are.
inline constexpr std::size_t kMostByCpu = 8;
inline constexpr std::size_t kMostByIo = 4;
inline constexpr std::size_t kMostByGrowth = 4;
inline constexpr std::size_t kMostStopped = 4;
inline constexpr double kLeastCores = 0.02;
inline constexpr double kLeastIo = 256.0 * 1024;           // bytes a second
inline constexpr double kLeastGrowth = 4.0 * 1024 * 1024;  // bytes a second

struct ProcessUse {
  std::string name;         // its `comm`: any bytes
  std::uint64_t pid = 0;    // with `start`, the process: a pid is used again
  std::uint64_t start = 0;  // after boot, in ticks of the kernel's USER_HZ
  double seconds = 0;       // before the reading, that the rest is the mean of
  double cores = 0;         // CPU time a second, of all threads
  // Bytes a second from and to storage; nothing if that was not read, or is refused.
  std::optional<double> read;
  std::optional<double> written;
  double grown = 0;      // bytes of resident memory, a second
  double resident = 0;   // bytes, at the reading
  double faults = 0;     // major page faults, a second
  bool stopped = false;  // by a signal or a tracer, at the reading, after it had been busy
  std::string group;     // its control group, as channels name it without "cg="; may be unknown

  double io() const { return read.value_or(0) + written.value_or(0); }
};

// Returns the event; numbers have two or three digits.
Note note_of(const ProcessUse& use);

// Returns whether a note is such an event.
inline bool is_process_use(const Note& note) {
  return note.kind == Note::Kind::kEvent && note.source == kProcessSource;
}

// Reads an event back; nothing for any other note, or if it is damaged.
std::optional<ProcessUse> process_use_of(const Note& note);

}  // namespace reveal::model
