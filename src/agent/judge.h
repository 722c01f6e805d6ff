// The agent's second process: judges what is recorded, keeps the findings, and tells others.
#pragma once

#include <string>
#include <vector>

#include "agent/configuration.h"
#include "agent/options.h"
#include "base/result.h"

namespace reveal::agent {

struct JudgeOptions {
  AgentOptions agent;
  Configuration configuration;
  std::vector<std::string> not_in_force;  // keys of the file that hold only after a restart
  int status_fd = -1;                     // the recorder's (record/shared_status.h)
  int marks_fd = -1;                      // for the recorder (record/mark_queue.h)
  std::string version;                    // of this program
  std::string commit;
};

// Judges until SIGTERM or SIGINT, or until another judge is to go on (HostWatch::has_outgrown()).
// SIGUSR1 has the last 15 minutes kept (agent/pins.h). Fails if it cannot begin. REQUIRES: no other
// thread runs yet.
base::Result<void> run_judge(JudgeOptions options);

}  // namespace reveal::agent
