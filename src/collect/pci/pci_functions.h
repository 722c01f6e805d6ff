// The PCI functions that a training job's speed depends on: GPUs, network adapters and NVMe drives,
// and the root ports that they hang on. A large host has hundreds of others, which are left out,
// and so are virtual functions, which have no link of their own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/metric.h"
#include "procfs/host_root.h"

namespace reveal::collect {

// What a function is, and for a port what hangs on it. Also orders the metrics of each kind.
enum class PciKind : std::uint8_t { kGpu, kNetwork, kStorage };
inline constexpr std::size_t kPciKinds = 3;

struct PciFunction {
  PciKind kind;
  std::string address;  // "0000:17:00.0"
  std::string folder;   // with symbolic links resolved
  std::string
      partner;  // folder of the function at the other end of its link; empty for a root port
};

// Returns the functions and, behind them, their root ports; at most kMaxPciFunctions.
std::vector<PciFunction> find_pci_functions(const procfs::HostRoot& root);

inline constexpr std::size_t kMaxPciFunctions = 512;
inline constexpr std::string_view kPciDevices = "bus/pci/devices";

}  // namespace reveal::collect
