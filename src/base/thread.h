// The one way to start a thread. The system may refuse one at any time: pids.max and TasksMax=,
// ulimit -u, no address space for its stack. std::thread then throws, which would end the program
// and the job with it; this returns an Error instead. tools/check_dag.py checks that no thread is
// started elsewhere.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "base/result.h"

namespace reveal::base {

// Runs `body`, which throws nothing, on a thread of its own. `what` says in the error what the
// thread is for.
Result<std::thread> start_thread(const std::string& what, std::function<void()> body);

}  // namespace reveal::base
