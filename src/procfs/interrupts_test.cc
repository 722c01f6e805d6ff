// Not fuzzed here: cpu_table_test.cc's case gives it the names in any table.
#include "procfs/interrupts.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

TEST(Interrupts, DeviceRowsAreNumbered) {
  EXPECT_TRUE(is_device_row("0"));
  EXPECT_TRUE(is_device_row("1048"));
  EXPECT_FALSE(is_device_row(""));
  EXPECT_FALSE(is_device_row("LOC"));
  EXPECT_FALSE(is_device_row("IPI0"));
}

TEST(Interrupts, OfArmAndRiscvGoByTheNamesOfX86) {
  EXPECT_EQ(usual_name("IPI0", "Rescheduling interrupts"), "RES");
  EXPECT_EQ(usual_name("IPI1", "Function call interrupts  "), "CAL");
  EXPECT_EQ(usual_name("IPI4", "IRQ work interrupts"), "IPI4");
  EXPECT_EQ(usual_name("10", "RISC-V INTC   5 Edge      riscv-timer"), "LOC");
  EXPECT_EQ(usual_name("11", "GICv3  27 Level     arch_timer"), "LOC");
  EXPECT_EQ(usual_name("13", "RISC-V INTC  13 Edge      riscv-pmu"), "PMI");
  EXPECT_EQ(usual_name("5", "GICv3  23 Level     arm-pmu"), "PMI");
  EXPECT_EQ(usual_name("22", "SiFive PLIC  32 Edge      ttyS0"), "22");
  EXPECT_EQ(usual_name("LOC", "Local timer interrupts"), "LOC");
  EXPECT_EQ(usual_name("RES", "Rescheduling interrupts"), "RES");
  EXPECT_EQ(usual_name("IPI0", ""), "IPI0");
  EXPECT_EQ(usual_name("", ""), "");
}

TEST(Interrupts, ClassFollowsTheActionsName) {
  const auto check = [](const char* description, IrqClass expected) {
    EXPECT_EQ(classify_irq(description), expected) << description;
  };
  check("", IrqClass::kOther);
  check("   ", IrqClass::kOther);
  check("IR-PCI-MSI 1048577-edge mlx5_comp0@pci:0000:3b:00.0", IrqClass::kMlx5);
  check("IR-PCI-MSI 1048576-edge mlx5_async0@pci:0000:3b:00.0", IrqClass::kMlx5);
  check("IR-PCI-MSI 524289-edge nvme0q1", IrqClass::kStorage);
  check("IR-PCI-MSI 376832-edge ahci[0000:00:17.0]", IrqClass::kStorage);
  check("PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0", IrqClass::kStorage);
  check("PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0", IrqClass::kNic);
  check("PCI-MSIX-0000:00:03.0   2-edge      virtio2-output.0", IrqClass::kNic);
  check("PCI-MSIX-0000:00:04.0   1-edge      virtio3-rx", IrqClass::kOther);
  check("IR-PCI-MSI 65536-edge nvidia", IrqClass::kGpu);
  check("IR-PCI-MSI 65536-edge amdgpu", IrqClass::kGpu);
  check("IR-PCI-MSI 12582913-edge i40e-eth2-TxRx-0", IrqClass::kNic);
  check("IR-PCI-MSI 12582913-edge eth2-TxRx-0", IrqClass::kNic);
  check("IO-APIC   4-edge      ttyS0", IrqClass::kOther);
}

TEST(QueueGroup, IsWhatTheQueuesOfADeviceHaveInCommon) {
  const auto group = [](std::string_view action) {
    std::string out = "left from before";
    queue_group_of(action, out);
    return out;
  };
  EXPECT_EQ(group("mlx5_comp7@pci:0000:3b:00.0"), "mlx5_comp@pci:0000:3b:00.0");
  EXPECT_EQ(group("mlx5_async0@pci:0000:3b:00.0"), "mlx5_async0@pci:0000:3b:00.0");
  EXPECT_EQ(group("eth0-TxRx-12"), "eth0-TxRx");
  EXPECT_EQ(group("i40e-eno1-TxRx-0"), "i40e-eno1-TxRx");
  EXPECT_EQ(group("nvme0q3"), "nvme0q");
  EXPECT_EQ(group("virtio1-input.0"), "virtio1-input");
  EXPECT_EQ(group("eth0"), "eth0");
  EXPECT_EQ(group("nvidia"), "nvidia");
  EXPECT_EQ(group("123"), "123");
  EXPECT_EQ(group("-1"), "");
  EXPECT_EQ(group(""), "");
}

}  // namespace
}  // namespace reveal::procfs
