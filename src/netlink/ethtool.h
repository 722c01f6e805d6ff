// Properties and statistics of a network driver, as `ethtool` asks for them (ioctl SIOCETHTOOL).
// Nothing here changes a setting, and most of it needs no privilege.
//
// The kernel writes as many statistics as the driver has at that moment, whatever room it was told
// there is: so the number is asked for first, and the buffer is far larger than any driver needs.
// https://docs.kernel.org/networking/statistics.html#ethtool
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::netlink {

// Texts end at their first zero byte, or fill their field.
struct DriverFacts {
  using Field = std::array<char, 32>;
  Field driver{};
  Field version{};
  Field firmware{};
  static std::string_view text(const Field& field);
};

struct RingSizes {
  std::uint32_t receive;
  std::uint32_t send;
};

struct PauseSettings {
  bool negotiated;
  bool receive;
  bool send;
};

// The contents of an optical module's memory.
struct ModuleMemory {
  std::uint32_t type;  // ETH_MODULE_SFF_...
  std::vector<std::uint8_t> bytes;
};

class Ethtool {
 public:
  static base::Result<Ethtool> open();

  // Return nothing if the driver does not say; last_errno() tells why.
  std::optional<DriverFacts> driver(std::string_view interface);
  std::optional<RingSizes> rings(std::string_view interface);
  std::optional<std::uint32_t> channels(std::string_view interface);
  std::optional<std::uint32_t> receive_delay_us(std::string_view interface);
  std::optional<PauseSettings> pause(std::string_view interface);
  // Bit i: whether offload i of offload_name() is on; nothing if none is known.
  std::optional<std::uint32_t> offloads(std::string_view interface);
  std::optional<ModuleMemory> module_memory(std::string_view interface);

  // Returns how many statistics the driver has.
  std::optional<std::uint32_t> statistic_count(std::string_view interface);
  // Returns their names, 32 bytes each, valid until the next call.
  std::optional<std::span<const char>> statistic_names(std::string_view interface);
  // Returns their values in the same order, valid until the next call.
  std::optional<std::span<const std::uint64_t>> statistics(std::string_view interface);

  int last_errno() const { return errno_; }

 private:
  explicit Ethtool(base::UniqueFd fd);
  bool ask(std::string_view interface, void* request);

  base::UniqueFd fd_;
  std::unique_ptr<std::uint64_t[]> buffer_;
  int errno_ = 0;
};

inline constexpr std::size_t kOffloads = 6;

// Returns "TSO", "receive checksum", ...
std::string_view offload_name(std::size_t index);

inline constexpr std::size_t kStatisticNameBytes = 32;

// Returns the name in one slot of statistic_names(), up to its first zero byte.
std::string_view statistic_name(std::span<const char> names, std::size_t index);

// Returns the index of a name among names, or nothing.
std::optional<std::size_t> find_statistic(std::span<const char> names, std::string_view name);

}  // namespace reveal::netlink
