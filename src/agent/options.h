// What the agent's processes are started with.
#pragma once

#include <string>

#include "agent/paths.h"
#include "procfs/host_root.h"
#include "settings/settings.h"

namespace reveal::agent {

struct AgentOptions {
  Paths paths;
  std::string config_file;  // that --config names; empty: the system's, if there is one
  procfs::HostRoot root;    // of the host that is watched
};

}  // namespace reveal::agent
