// The binary table of /sys/class/drm/card*/device/gpu_metrics: little-endian, a header of size
// (2 bytes), format and content revision (1 byte each), then fields that each revision lays out
// anew (drivers/gpu/drm/amd/include/kgd_pp_interface.h). Only the throttle status that does not
// depend on the chip is read, and only from the revisions whose layout is known here: 1.3 of
// discrete GPUs and 2.2 of GPUs beside a CPU. All else that the table has, files say as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reveal::procfs {

// Why the firmware holds the clocks down at this moment; sixteen bits of the status each.
struct AmdgpuThrottle {
  bool power = false;
  bool current = false;
  bool temperature = false;
  bool other = false;
};

// Returns nothing for a revision that has no such status, a cut table, or a chip that leaves it
// out.
std::optional<AmdgpuThrottle> parse_amdgpu_throttle(std::string_view table);

}  // namespace reveal::procfs
