#include "netlink/optics.h"

#include <linux/ethtool.h>

namespace reveal::netlink {
namespace {

constexpr double kDegreesPerUnit = 1.0 / 256.0;

using Memory = std::span<const std::uint8_t>;

// Numbers are of two bytes, the higher first.
std::optional<std::uint16_t> word(Memory memory, std::size_t at) {
  if (at + 2 > memory.size()) return std::nullopt;
  return static_cast<std::uint16_t>(memory[at] << 8 | memory[at + 1]);
}

std::optional<double> temperature(Memory memory, std::size_t at) {
  const auto raw = word(memory, at);
  if (!raw) return std::nullopt;
  return static_cast<double>(static_cast<std::int16_t>(*raw)) * kDegreesPerUnit;
}

// SFF-8472: byte 92 of the first 256 tells what monitors there are, the second 256 have them.
std::optional<Optics> parse_sfp(Memory memory) {
  constexpr std::size_t kMonitorType = 92;
  constexpr std::uint8_t kHasMonitors = 1U << 6;
  constexpr std::uint8_t kCalibrated = 1U << 5;
  constexpr std::uint8_t kWanted = kHasMonitors | kCalibrated;
  constexpr std::size_t kPage = 256;
  if (memory.size() < 2 * kPage || (memory[kMonitorType] & kWanted) != kWanted) return std::nullopt;
  Optics out;
  out.temperature_celsius = temperature(memory, kPage + 96);
  out.supply_voltage = word(memory, kPage + 98);
  out.lanes[0].bias_current = word(memory, kPage + 100);
  out.lanes[0].send_power = word(memory, kPage + 102);
  out.lanes[0].receive_power = word(memory, kPage + 104);
  return out;
}

// SFF-8636: the monitors are in the lower 128 bytes. A monitor that a module lacks reads 0.
std::optional<Optics> parse_qsfp(Memory memory) {
  constexpr std::size_t kLower = 128;
  if (memory.size() < kLower || word(memory, 26) == 0) return std::nullopt;  // not even a voltage
  Optics out;
  out.temperature_celsius = temperature(memory, 22);
  out.supply_voltage = word(memory, 26);
  for (std::size_t lane = 0; lane < kOpticLanes; ++lane) {
    out.lanes[lane].receive_power = word(memory, 34 + 2 * lane);
    out.lanes[lane].bias_current = word(memory, 42 + 2 * lane);
    out.lanes[lane].send_power = word(memory, 50 + 2 * lane);
  }
  return out;
}

}  // namespace

std::optional<Optics> parse_optics(std::uint32_t type, Memory memory) {
  if (type == ETH_MODULE_SFF_8472) return parse_sfp(memory);
  if (type == ETH_MODULE_SFF_8636 || type == ETH_MODULE_SFF_8436) return parse_qsfp(memory);
  return std::nullopt;
}

}  // namespace reveal::netlink
