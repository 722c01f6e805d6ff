// The binary table of /sys/class/drm/card*/device/gpu_metrics: little-endian, a header of size
// (2 bytes), format and content revision (1 byte each), then fields that each revision lays out
// anew (drivers/gpu/drm/amd/include/kgd_pp_interface.h). Only what holds the clocks down is read,
// and only from the revisions whose layout is known here. Two kinds say it: 1.3 of discrete GPUs
// and 2.2 of GPUs beside a CPU have the status of the moment that does not depend on the chip; 1.6
// to 1.8 of Instinct accelerators (MI300) count for how long the firmware did it. All else that the
// table has, files say as well.
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

// For how much of its own time the firmware has held the clocks down. All count up together, in
// ticks of the firmware, and have 32 bits.
struct AmdgpuResidency {
  std::uint64_t ticks = 0;           // that have passed
  std::uint64_t prochot = 0;         // somebody outside of the GPU said that it is hot
  std::uint64_t power = 0;           // its limit of power
  std::uint64_t socket_heat = 0;     // its own chips
  std::uint64_t regulator_heat = 0;  // the voltage regulators
  std::uint64_t memory_heat = 0;     // its memory (HBM)
};

// Returns nothing for a revision that does not count it, a cut table, or a GPU that leaves it out.
std::optional<AmdgpuResidency> parse_amdgpu_residency(std::string_view table);

}  // namespace reveal::procfs
