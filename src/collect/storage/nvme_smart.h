// Asks an NVMe controller for its SMART log; apart from the collector, so that a test can answer in
// place of a drive.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "collect/collector.h"
#include "procfs/nvme_smart_log.h"

namespace reveal::collect {

using NvmeSmartPage = std::array<std::uint8_t, procfs::kNvmeSmartLogSize>;

// Asks the controller behind a character device ("/dev/nvme0") for its SMART log. Returns 0, or an
// errno: EACCES without CAP_SYS_ADMIN, EIO for a refusal by the drive.
using ReadNvmeSmart = int (*)(const std::string& device, NvmeSmartPage& page);
int read_nvme_smart(const std::string& device, NvmeSmartPage& page);

// Returns the collector, which asks with `read`. On a tree that is not of the running kernel it is
// absent unless `anywhere`: the drives of /dev are not that tree's.
std::unique_ptr<Collector> make_nvme_smart(ReadNvmeSmart read, bool anywhere);

}  // namespace reveal::collect
