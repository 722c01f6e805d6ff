// The configuration space of a PCI Express function, as /sys/bus/pci/devices/*/config holds it.
// Only its first 64 bytes are shown to those without CAP_SYS_ADMIN. Register offsets are those of
// the PCI Express Base Specification, named in linux/pci_regs.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reveal::procfs {

struct PcieDeviceControl {
  std::uint32_t max_payload_bytes = 0;
  std::uint32_t max_read_request_bytes = 0;
};

// Returns what the device control register of the function says; nothing if `config` is too short
// to hold it, is not of a PCI Express function, or makes no sense.
std::optional<PcieDeviceControl> pcie_device_control(std::string_view config);

}  // namespace reveal::procfs
