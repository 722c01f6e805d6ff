#include "procfs/kmsg.h"

#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

TEST(ParseKmsg, RecordOfTheKernelsDocument) {
  const auto record = parse_kmsg(
      "7,160,424069,-;pci_root PNP0A03:00: host bridge window\n"
      " SUBSYSTEM=acpi\n DEVICE=+acpi:PNP0A03:00\n");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->sequence, 160u);
  EXPECT_EQ(record->message, "pci_root PNP0A03:00: host bridge window");
}

TEST(ParseKmsg, FieldsThatAreAddedLaterDoNotMatter) {
  const auto record = parse_kmsg("6,339,5140900,-,caller=T1;NET: Registered; twice");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->sequence, 339u);
  EXPECT_EQ(record->message, "NET: Registered; twice");
}

TEST(ParseKmsg, RubbishIsNoRecord) {
  for (const char* text : {"", ";", "6;x", "6,;x", "six,1,2,-;x", "6,1,2,-", "\xff\xfe,,;"}) {
    EXPECT_FALSE(parse_kmsg(text)) << text;
  }
}

// Lines as drivers have printed them on real hosts, with other addresses.
TEST(MatchTrouble, LinesOfRealHosts) {
  const auto check = [](KernelTrouble expected, const char* line) {
    const auto match = match_trouble(line);
    ASSERT_TRUE(match) << line;
    EXPECT_EQ(match->trouble, expected) << line;
  };
  using enum KernelTrouble;
  check(kMlx5,
        "mlx5_core 0000:3b:00.0: poll_health:794:(pid 0): device's health compromised - "
        "reached miss count");
  check(kMlx5,
        "mlx5_core 0000:3b:00.0: print_health_info:424:(pid 0): Health issue observed, "
        "unrecoverable hardware error, severity(3) ERROR:");
  check(kMlx5,
        "mlx5_core 0000:3b:00.0: wait_func:1137:(pid 812): MANAGE_PAGES(0x108) timeout. "
        "Will cause a leak of a command resource");
  check(kNvmeTimeout, "nvme nvme0: I/O 12 QID 3 timeout, aborting");
  check(kNvmeTimeout,
        "nvme nvme1: I/O tag 64 (1040) opcode 0x2 (I/O Cmd) QID 1 timeout, aborting "
        "req_op:READ(0) size:4096");
  check(kMachineCheck, "mce: [Hardware Error]: Machine check events logged");
  check(kMachineCheck, "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 5: be00000000800400");
  check(kMachineCheck,
        "{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error "
        "Source: 1");
  check(kOutOfMemory, "Out of memory: Killed process 812 (python3) total-vm:9kB, anon-rss:8kB");
  check(kOutOfMemory, "Memory cgroup out of memory: Killed process 812 (python3) total-vm:9kB");
  check(kSoftLockup, "watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [python3:812]");
  check(kHungTask, "INFO: task kworker/u8:1:77 blocked for more than 120 seconds.");
  check(kPcieAer, "pcieport 0000:16:00.0: AER: Corrected error received: 0000:17:00.0");
  check(kPcieAer,
        "pcieport 0000:16:00.0: AER: Multiple Uncorrected (Non-Fatal) error received: "
        "0000:17:00.0");
  check(kPcieAer,
        "pcieport 0000:16:00.0: AER: Correctable error message received from "
        "0000:17:00.0");
  check(kLinkDown, "e1000e 0000:00:1f.6 eno1: NIC Link is Down");
  check(kLinkDown, "mlx5_core 0000:3b:00.0 ens1f0: Link down");
  check(kLinkDown, "igb 0000:04:00.0 eth2: igb: eth2 NIC Link is Down");
  check(kIoError, "blk_update_request: I/O error, dev sda, sector 2048 op 0x0:(READ) flags 0x0");
  check(kIoError, "I/O error, dev nvme0n1, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1");
  check(kIoError, "critical medium error, dev sdb, sector 12345 op 0x0:(READ) flags 0x0");
}

TEST(MatchTrouble, XidsWithTheirCodes) {
  const auto check = [](const char* line, KernelTrouble trouble, Value code, const char* device) {
    const auto match = match_trouble(line);
    ASSERT_TRUE(match) << line;
    EXPECT_EQ(match->trouble, trouble) << line;
    EXPECT_EQ(match->code, code) << line;
    EXPECT_EQ(match->device, device) << line;
  };
  using enum KernelTrouble;
  check(
      "NVRM: Xid (PCI:0000:cb:00): 109, pid=179, name=pt_main_thread, Ch 00000008, errorString "
      "CTX SWITCH TIMEOUT, Info 0x58005",
      kXid, 109, "0000:cb:00");
  check("NVRM: Xid (PCI:0019:01:00): 149, NETIR Fatal XC0 i0 Link -1 (0x000fe406)", kXid, 149,
        "0019:01:00");
  check("NVRM: Xid (0000:03:00): 14, Channel 00000001", kXid, 14, "0000:03:00");
  check("nvidia-nvswitch1: SXid (PCI:0000:84:00.0): 12028, Data {0x000001c0, 0x00bd5c8a}", kSxid,
        12028, "0000:84:00.0");
  check("NVRM: Xid (PCI:0000:cb:00): , pid=1", kXid, std::nullopt, "0000:cb:00");
  check("NVRM: Xid (PCI:0000:cb:00):", kXid, std::nullopt, "0000:cb:00");
}

TEST(MatchTrouble, OrdinaryLinesMeanNone) {
  for (const char* line :
       {"", "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15", "NVRM: Xid ",
        "NVRM: Xid (PCI:0000", "pcieport 0000:00:1c.0: AER: enabled with IRQ 122",
        "ata3: SATA link down (SStatus 0 SControl 300)",
        "nvme nvme0: 8/0/0 default/read/poll queues",
        "mlx5_core 0000:3b:00.0: firmware version: 20.39.1002", "mce: CPU0: Thermal monitoring",
        "mce: [Hardware Error]: TSC 0 ADDR fef1ce40", "e1000e: eno1 NIC Link is Up 1000 Mbps",
        "INFO: task manager started", "sd 0:0:0:0: [sda] 2048 512-byte logical blocks"}) {
    EXPECT_FALSE(match_trouble(line)) << line;
  }
}

// Each line stands for a record, and for a message too.
const ParserCase kFuzzed("dev/kmsg", [](std::string_view text) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    match_trouble(line);
    const auto record = parse_kmsg(line);
    if (!record) continue;
    require(record->message.size() < line.size());
    const auto trouble = match_trouble(record->message);
    require(!trouble || trouble->device.size() < record->message.size());
  }
});

}  // namespace
}  // namespace reveal::procfs
