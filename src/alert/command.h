// A program of the user's that is run for each event, with the event as JSON on its standard input.
//
// No shell reads the words. The program has a process group of its own, which is killed when the
// time is up; `/` as its directory; the default signals; and the environment of Reveal without what
// systemd has put there for Reveal alone. Of its output only the last line is kept.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "alert/delivery.h"
#include "alert/stop.h"

namespace reveal::alert {

struct CommandRun {
  Delivery delivery;
  std::string last_line;  // of both its output streams; safe, at most kLongestLastLine bytes
};

inline constexpr std::size_t kLongestLastLine = 500;

// Runs it to its end on this thread. Once it has begun it has the event: kTaken if it ends with 0,
// kRefused otherwise, as running it again might do twice what it has done. kNotTaken if it could
// not be started. If `stop` asks, the rest of the time shrinks to two seconds.
CommandRun run_command(const std::vector<std::string>& words, std::string_view input,
                       std::chrono::milliseconds timeout, const Stop& stop,
                       const BeforeSending& before_sending);

}  // namespace reveal::alert
