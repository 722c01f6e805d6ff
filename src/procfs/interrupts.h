// What the device rows of /proc/interrupts belong to. A server has hundreds of them, one a queue;
// they are told apart by the action's name, which the driver chose.
// https://docs.kernel.org/filesystems/proc.html#kernel-data
#pragma once

#include <string>
#include <string_view>

namespace reveal::procfs {

enum class IrqClass { kMlx5, kNic, kStorage, kGpu, kOther };
inline constexpr std::size_t kIrqClassCount = 5;

// Returns whether the row is a device's: its name is the interrupt's number.
bool is_device_row(std::string_view name);

// Returns the name under which x86 shows what the row counts: LOC, RES, CAL or PMI. On Arm and
// RISC-V an interrupt between cores is a row IPIn, whose number differs from kernel to kernel, and
// the core's timer and counters are rows of devices; their descriptions tell what they are. Returns
// the name of any other row as it is.
std::string_view usual_name(std::string_view name, std::string_view description);

// Returns the class of a device row by its description, for example
// "IR-PCI-MSI 1048577-edge mlx5_comp0@pci:0000:3b:00.0". A virtio device says only its number and
// its queues ("virtio1-req.0"), so virtio is told by the names that each driver gives its queues.
IrqClass classify_irq(std::string_view description);

// Sets `out` to what the queues of one device have in common in the names of their actions:
// "mlx5_comp@pci:0000:3b:00.0" of "mlx5_comp7@pci:0000:3b:00.0", "eth0-TxRx" of "eth0-TxRx-12",
// "nvme0q" of "nvme0q3". A name without a queue's number is left as it is.
void queue_group_of(std::string_view action, std::string& out);

}  // namespace reveal::procfs
