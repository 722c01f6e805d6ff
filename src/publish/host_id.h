// The id by which a host is known to its fleet: made once, and kept in a file.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace reveal::publish {

// Where Linux keeps what tells one installation from another, machine-id(5).
inline constexpr const char* kMachineId = "/etc/machine-id";

// Returns the id in `file`, which is made if it is not there. The file has a hash of the
// machine's id, too, if there is one: so a file that was copied with a disk is told from the
// host's own, and two hosts are not taken for one. Fails with kCorrupt if the file is not one of
// these or is another machine's, and if it cannot be read or written.
base::Result<std::string> host_id(const std::filesystem::path& file,
                                  const std::filesystem::path& machine_id = kMachineId);

}  // namespace reveal::publish
