// The kernel's log as /dev/kmsg hands it out, one record a read:
// https://docs.kernel.org/ABI/testing/dev-kmsg.html
//
//   4,1207,8129384112,-;NVRM: Xid (PCI:0000:17:00): 79, pid=812, GPU has fallen off the bus.
//    SUBSYSTEM=pci
//
// Before the semicolon stand priority, sequence number, time in us and flags; newer kernels may add
// more. Behind it is the message, and on lines that begin with a blank what belongs to it. Which
// messages mean trouble is said here, by the words that drivers have printed for years; a line is
// counted as one kind of trouble at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct KmsgRecord {
  std::uint64_t sequence = 0;
  std::string_view message;  // its first line
};

// Returns nothing for what is not a record.
std::optional<KmsgRecord> parse_kmsg(std::string_view record);

enum class KernelTrouble : std::uint8_t {
  kXid,           // NVIDIA driver: a GPU's error report
  kSxid,          // NVIDIA driver: an NVSwitch's
  kMlx5,          // health of a Mellanox adapter, or a command that it did not finish
  kNvmeTimeout,   // an NVMe command that was not answered
  kMachineCheck,  // hardware error reported by the processor or the firmware
  kOutOfMemory,   // a process killed for want of memory
  kSoftLockup,    // a core that did not schedule
  kHungTask,      // a task that did not run
  kPcieAer,       // PCIe error report
  kLinkDown,      // a network link went down
  kIoError,       // a block device refused a request
};
inline constexpr int kKernelTroubleCount = 11;

struct TroubleLine {
  KernelTrouble trouble = KernelTrouble::kXid;
  Value code{};               // of kXid and kSxid
  std::string_view device{};  // of kXid and kSxid, as printed: "0000:17:00"
};

// Returns nothing for a message that means no trouble.
std::optional<TroubleLine> match_trouble(std::string_view message);

}  // namespace reveal::procfs
