// What holds for a whole run: which host, which kernel, which boot.
#pragma once

#include "model/frame.h"
#include "procfs/host_root.h"

namespace reveal::collect {

// Returns the facts of the host that `root` shows; interval, start and command are left to the
// caller. What the root does not tell comes from uname() if the root is this machine's, and is
// empty otherwise.
model::RunFacts facts_of_host(const procfs::HostRoot& root);

}  // namespace reveal::collect
