// Names by which the recordings of several hosts are told apart.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace reveal::replay {

// Fails with kUsage if a directory is given twice, in whatever way it is written.
base::Result<void> check_given_once(const std::vector<std::string>& directories);

// Returns the hosts' own names or, if these do not tell them apart, the directories', with as much
// of the path as that takes. REQUIRES: as many hosts as directories, in the same order.
std::vector<std::string> names_of_hosts(const std::vector<std::string>& directories,
                                        const std::vector<std::string>& hosts);

}  // namespace reveal::replay
