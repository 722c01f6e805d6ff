// What the agent's processes are started with.
#pragma once

#include <functional>
#include <string>

#include "agent/paths.h"
#include "procfs/host_root.h"
#include "settings/settings.h"

namespace reveal::agent {

struct AgentOptions {
  Paths paths;
  std::string config_file;  // that --config names; empty: the system's, if there is one
  procfs::HostRoot root;    // of the host that is watched
  // Returns a text with the names of documents in it as where they are on this host; may be empty.
  std::function<std::string(const std::string&)> with_documents = {};
};

}  // namespace reveal::agent
