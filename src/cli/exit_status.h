// The exit statuses of reveal, as docs/exit_status.md and --help list them. Those of `reveal run --
// CMD` above 100 are what env(1), nice(1) and timeout(1) use, so that scripts already know them.
#pragma once

#include "base/result.h"

namespace reveal::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;        // the operating system or the recording refused
inline constexpr int kUsage = 2;         // the command line makes no sense
inline constexpr int kTooLittle = 3;     // sound, but not enough recorded to analyze
inline constexpr int kFound = 4;         // what --fail-on asked about is there
inline constexpr int kBusy = 75;         // another process has it, or a server is away
inline constexpr int kNotStarted = 125;  // reveal failed before CMD could start
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;

// Returns the exit status that an error ends the program with.
constexpr int exit_status(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::kUsage:
      return kUsage;
    case base::ErrorKind::kTooLittle:
      return kTooLittle;
    case base::ErrorKind::kBusy:
    case base::ErrorKind::kAway:
      return kBusy;
    default:
      return kFailed;
  }
}

}  // namespace reveal::cli
