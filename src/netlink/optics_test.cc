// Offsets and units are those of SFF-8472 (SFP) and SFF-8636 (QSFP).
#include "netlink/optics.h"

#include <vector>

#include <gmock/gmock.h>
#include <linux/ethtool.h>

namespace reveal::netlink {
namespace {

using ::testing::Optional;
using Memory = std::vector<std::uint8_t>;

void put(Memory& memory, std::size_t at, std::uint16_t value) {
  memory[at] = static_cast<std::uint8_t>(value >> 8);
  memory[at + 1] = static_cast<std::uint8_t>(value);
}

Memory sfp() {
  Memory out(512);
  out[92] = 0x68;              // monitors, calibrated inside
  put(out, 256 + 96, 0xFF80);  // half a degree below zero
  put(out, 256 + 98, 33000);   // 3.3 V
  put(out, 256 + 100, 3000);   // 6 mA
  put(out, 256 + 102, 5000);   // 0.5 mW
  put(out, 256 + 104, 4000);   // 0.4 mW
  return out;
}

TEST(Optics, SfpHasOneLane) {
  const auto optics = parse_optics(ETH_MODULE_SFF_8472, sfp());
  ASSERT_TRUE(optics);
  EXPECT_THAT(optics->temperature_celsius, Optional(-0.5));
  EXPECT_THAT(optics->supply_voltage, Optional(33000u));
  EXPECT_THAT(optics->lanes[0].bias_current, Optional(3000u));
  EXPECT_THAT(optics->lanes[0].send_power, Optional(5000u));
  EXPECT_THAT(optics->lanes[0].receive_power, Optional(4000u));
  EXPECT_EQ(optics->lanes[1].receive_power, std::nullopt);
}

TEST(Optics, SfpWithoutMonitorsOrCalibratedOutsideSaysNothing) {
  for (const std::uint8_t type : Memory{0x00, 0x20, 0x50}) {
    auto memory = sfp();
    memory[92] = type;
    EXPECT_FALSE(parse_optics(ETH_MODULE_SFF_8472, memory)) << int{type};
  }
  auto cut = sfp();
  cut.resize(511);
  EXPECT_FALSE(parse_optics(ETH_MODULE_SFF_8472, cut));
}

TEST(Optics, QsfpHasFourLanes) {
  Memory memory(640);
  put(memory, 22, 0x2A40);  // 42.25 degrees
  put(memory, 26, 32500);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    put(memory, 34 + 2 * lane, static_cast<std::uint16_t>(1000 + lane));
    put(memory, 42 + 2 * lane, static_cast<std::uint16_t>(2000 + lane));
    put(memory, 50 + 2 * lane, static_cast<std::uint16_t>(3000 + lane));
  }
  const auto optics = parse_optics(ETH_MODULE_SFF_8636, memory);
  ASSERT_TRUE(optics);
  EXPECT_THAT(optics->temperature_celsius, Optional(42.25));
  EXPECT_THAT(optics->lanes[3].receive_power, Optional(1003u));
  EXPECT_THAT(optics->lanes[3].bias_current, Optional(2003u));
  EXPECT_THAT(optics->lanes[0].send_power, Optional(3000u));
}

TEST(Optics, CopperAndUnknownModulesSayNothing) {
  EXPECT_FALSE(parse_optics(ETH_MODULE_SFF_8636, Memory(640)));
  EXPECT_FALSE(parse_optics(ETH_MODULE_SFF_8636, Memory(127, 1)));
  EXPECT_FALSE(parse_optics(ETH_MODULE_SFF_8079, sfp()));
  EXPECT_FALSE(parse_optics(999, sfp()));
}

}  // namespace
}  // namespace reveal::netlink
