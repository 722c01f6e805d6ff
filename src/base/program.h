// Starts a program of the user's beside this process: a receiver of alerts, or one whose output is
// recorded.
//
// No shell reads the words. The program has a process group of its own, so that it can be killed
// with all that it has started; `/` as its directory; the default signals; and the environment of
// Reveal without what systemd has put there for Reveal alone.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace reveal::base {

// The descriptors that the program has as its standard ones.
struct ProgramStreams {
  int in;
  int out;
  int error;
};

// Starts the program, which is looked for in PATH unless its name has a slash. Returns 0 with
// `child` set, or an errno. REQUIRES: there are words.
int start_program(const std::vector<std::string>& words, const ProgramStreams& streams,
                  pid_t& child);

}  // namespace reveal::base
