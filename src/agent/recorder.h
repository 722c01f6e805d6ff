// The agent's recorder: a process of its own, so that nothing else in the agent can stop a tick.
#pragma once

#include "agent/options.h"
#include "base/result.h"
#include "settings/settings.h"

namespace reveal::agent {

// Records into the agent's recording, which goes on where it ended, until a signal ends it. Says in
// the memory behind `status_fd` how it gets on, and notes the marks in that behind `marks_fd`.
// Fails if it cannot begin, or could not store or close what it recorded.
base::Result<void> run_recorder(const AgentOptions& options, const settings::Settings& settings,
                                int status_fd, int marks_fd);

}  // namespace reveal::agent
