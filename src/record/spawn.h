// Starts CMD, and checks beforehand whether it can be started.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "record/surroundings.h"

namespace reveal::record {

// Fails with kAbsent if there is no file of CMD's name (for one without "/": in PATH), and with
// another kind if it may not be executed. An empty `command` is fine.
base::Result<void> check_command(const std::vector<std::string>& command);

// Runs `command` as a child with the surroundings given, found as execvp() finds it; returns its id
// once it has become CMD. Fails as check_command() does, and then sets `refused`; fails also if the
// system has no process left. REQUIRES: not empty.
base::Result<pid_t> spawn(const std::vector<std::string>& command, const Surroundings& original,
                          bool& refused);

// Turns this process into `command`; returns only if that cannot be executed, and why. REQUIRES:
// not empty; the surroundings are the original ones.
base::Error become_command(const std::vector<std::string>& command);

}  // namespace reveal::record
