// The health of an optical module, decoded from its memory: SFP modules as SFF-8472 lays it out
// (one lane), QSFP modules as SFF-8636 and SFF-8436 do (four lanes). Modules without these monitors
// (copper cables), and SFP modules that want their readings calibrated by their host, say nothing.
// https://docs.kernel.org/networking/ethtool-netlink.html#module-eeprom-get
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace reveal::netlink {

inline constexpr std::size_t kOpticLanes = 4;

struct OpticLane {
  std::optional<std::uint64_t> receive_power{};  // in 0.1 uW
  std::optional<std::uint64_t> send_power{};     // in 0.1 uW
  std::optional<std::uint64_t> bias_current{};   // in 2 uA
};

struct Optics {
  std::optional<double> temperature_celsius{};
  std::optional<std::uint64_t> supply_voltage{};  // in 100 uV
  std::array<OpticLane, kOpticLanes> lanes{};
};

// `type` is the kernel's ETH_MODULE_SFF_... number. Returns nothing if the memory has no such
// monitors or another layout.
std::optional<Optics> parse_optics(std::uint32_t type, std::span<const std::uint8_t> memory);

}  // namespace reveal::netlink
