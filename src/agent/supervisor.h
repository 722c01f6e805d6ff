// The agent's first process, which the service manager knows: it starts the recorder and the judge,
// starts them again when they end, and tells the service manager how they are. It does little, so
// that it does not fail.
#pragma once

#include "agent/configuration.h"
#include "agent/options.h"
#include "base/result.h"

namespace reveal::agent {

// Runs until SIGTERM or SIGINT; both processes then end in order. SIGHUP has the configuration read
// anew if it is sound, SIGUSR1 the last 15 minutes kept. Fails if another agent has the directory,
// with kBusy, or if it cannot be made.
base::Result<void> run_agent(const AgentOptions& options, const Configuration& start);

}  // namespace reveal::agent
