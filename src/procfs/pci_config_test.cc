#include "procfs/pci_config.h"

#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

// A configuration space with the capabilities of PCI Express at 0x78, behind one at 0x60.
std::string config(std::uint16_t device_control, std::size_t size = 256) {
  std::string out(256, '\0');
  out[0x06] = 0x10;  // there are capabilities
  out[0x34] = 0x60;
  out[0x60] = 0x01;
  out[0x61] = 0x78;
  out[0x78] = 0x10;
  out[0x80] = static_cast<char>(device_control & 0xff);
  out[0x81] = static_cast<char>(device_control >> 8);
  return out.substr(0, size);
}

TEST(PciConfig, SizesAreThreeBitsEach) {
  const auto control = pcie_device_control(config(0x5937)).value();
  EXPECT_EQ(control.max_payload_bytes, 256u);        // bits 7:5 are 001
  EXPECT_EQ(control.max_read_request_bytes, 4096u);  // bits 14:12 are 101
  EXPECT_EQ(pcie_device_control(config(0)).value().max_read_request_bytes, 128u);
}

TEST(PciConfig, WhatMakesNoSenseIsNothing) {
  EXPECT_FALSE(pcie_device_control(""));
  EXPECT_FALSE(pcie_device_control(config(0x5937, 64)));  // what others than root may read
  EXPECT_FALSE(pcie_device_control(config(0x5937, 0x81)));
  EXPECT_FALSE(pcie_device_control(std::string(256, '\xff')));  // it has left the bus
  EXPECT_FALSE(pcie_device_control(config(0x6000)));            // a reserved size
  EXPECT_FALSE(pcie_device_control(config(0x00c0)));
  std::string none = config(0x5937);
  none[0x06] = 0;
  EXPECT_FALSE(pcie_device_control(none));
}

TEST(PciConfig, ChainsThatLoopOrLeaveEnd) {
  std::string loop = config(0x5937);
  loop[0x61] = 0x60;
  EXPECT_FALSE(pcie_device_control(loop));
  loop[0x61] = 0x08;  // into the header
  EXPECT_FALSE(pcie_device_control(loop));
}

TEST(PciConfig, EveryCutGivesTheSameOrNothing) {
  const std::string whole = config(0x5937);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto control = pcie_device_control(std::string_view(whole).substr(0, size));
    EXPECT_EQ(control.has_value(), size >= 0x82) << size;
  }
}

const ParserCase kFuzzed("sys/devices/pci0000:16/0000:16:02.0/0000:17:00.0/config",
                         [](std::string_view config) {
                           const auto control = pcie_device_control(config);
                           if (!control) return;
                           require(control->max_payload_bytes >= 128);
                           require(control->max_read_request_bytes >= 128);
                         });

}  // namespace
}  // namespace reveal::procfs
