// Whether all that an agent keeps below its directory is sound: recordings by the checksums of
// their records, other files by what they must hold. Nothing is changed, and the agent may run
// meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/paths.h"
#include "base/result.h"

namespace reveal::agent {

struct StoreCheck {
  std::uint64_t recordings = 0;  // the recording, its rollups, evidence and pins
  std::uint64_t frames = 0;      // of all of them, that can be read
  std::uint64_t findings = 0;
  std::uint64_t files = 0;  // of reports and state
  std::uint64_t bytes = 0;  // all that the directory takes
  // By what is damaged: where it is, what is wrong, and what to do.
  std::vector<base::Error> damage;
  // What is not as usual, and no damage.
  std::vector<std::string> remarks;
};

// Checks the directory. Fails if it is not there, or is none of an agent.
base::Result<StoreCheck> check_store(const Paths& paths);

// Returns a line on what was checked.
std::string summary_of(const StoreCheck& check);

}  // namespace reveal::agent
