#include "netlink/ethtool.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace reveal::netlink {
namespace {

static_assert(kStatisticNameBytes == ETH_GSTRING_LEN);

// mlx5 with 128 queues has some ten thousand statistics.
constexpr std::size_t kMaxStatistics = std::size_t{32} << 10;
// Room for as many again, in case their number grows between the two questions. Pages that are not
// written to cost nothing.
constexpr std::size_t kBufferWords = 2 * kMaxStatistics * kStatisticNameBytes / 8;
constexpr std::uint32_t kMaxModuleBytes = 1024;

struct Offload {
  std::uint32_t command;
  std::string_view name;
};

constexpr std::array<Offload, kOffloads> kOffloadTable = {{
    {ETHTOOL_GRXCSUM, "receive checksum"},
    {ETHTOOL_GTXCSUM, "send checksum"},
    {ETHTOOL_GSG, "scatter-gather"},
    {ETHTOOL_GTSO, "TSO"},
    {ETHTOOL_GGSO, "GSO"},
    {ETHTOOL_GGRO, "GRO"},
}};

}  // namespace

Ethtool::Ethtool(base::UniqueFd fd)
    : fd_(std::move(fd)), buffer_(std::make_unique_for_overwrite<std::uint64_t[]>(kBufferWords)) {}

base::Result<Ethtool> Ethtool::open() {
  base::UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return base::fail_errno(errno, "cannot be asked", "ethtool");
  return Ethtool(std::move(fd));
}

bool Ethtool::ask(std::string_view interface, void* request) {
  ifreq ifr{};
  if (interface.empty() || interface.size() >= sizeof(ifr.ifr_name)) {
    errno_ = EINVAL;
    return false;
  }
  std::copy(interface.begin(), interface.end(), ifr.ifr_name);
  ifr.ifr_data = static_cast<char*>(request);
  errno_ = ::ioctl(fd_.get(), SIOCETHTOOL, &ifr) == 0 ? 0 : errno;
  return errno_ == 0;
}

std::optional<DriverFacts> Ethtool::driver(std::string_view interface) {
  ethtool_drvinfo out{};
  out.cmd = ETHTOOL_GDRVINFO;
  if (!ask(interface, &out)) return std::nullopt;
  return DriverFacts{std::to_array(out.driver), std::to_array(out.version),
                     std::to_array(out.fw_version)};
}

std::optional<RingSizes> Ethtool::rings(std::string_view interface) {
  ethtool_ringparam out{};
  out.cmd = ETHTOOL_GRINGPARAM;
  if (!ask(interface, &out)) return std::nullopt;
  return RingSizes{out.rx_pending, out.tx_pending};
}

std::optional<std::uint32_t> Ethtool::channels(std::string_view interface) {
  ethtool_channels out{};
  out.cmd = ETHTOOL_GCHANNELS;
  if (!ask(interface, &out)) return std::nullopt;
  return out.combined_count + std::max(out.rx_count, out.tx_count);
}

std::optional<std::uint32_t> Ethtool::receive_delay_us(std::string_view interface) {
  ethtool_coalesce out{};
  out.cmd = ETHTOOL_GCOALESCE;
  if (!ask(interface, &out)) return std::nullopt;
  return out.rx_coalesce_usecs;
}

std::optional<PauseSettings> Ethtool::pause(std::string_view interface) {
  ethtool_pauseparam out{};
  out.cmd = ETHTOOL_GPAUSEPARAM;
  if (!ask(interface, &out)) return std::nullopt;
  return PauseSettings{out.autoneg != 0, out.rx_pause != 0, out.tx_pause != 0};
}

std::optional<std::uint32_t> Ethtool::offloads(std::string_view interface) {
  std::uint32_t on = 0;
  bool any = false;
  for (std::size_t i = 0; i < kOffloads; ++i) {
    ethtool_value out{};
    out.cmd = kOffloadTable[i].command;
    if (!ask(interface, &out)) continue;
    any = true;
    if (out.data != 0) on |= 1U << i;
  }
  if (!any) return std::nullopt;
  return on;
}

std::optional<ModuleMemory> Ethtool::module_memory(std::string_view interface) {
  ethtool_modinfo info{};
  info.cmd = ETHTOOL_GMODULEINFO;
  if (!ask(interface, &info)) return std::nullopt;
  const std::uint32_t size = std::min(info.eeprom_len, kMaxModuleBytes);
  std::vector<std::uint8_t> request(sizeof(ethtool_eeprom) + size);
  ethtool_eeprom header{};
  header.cmd = ETHTOOL_GMODULEEEPROM;
  header.len = size;
  std::memcpy(request.data(), &header, sizeof(header));
  if (!ask(interface, request.data())) return std::nullopt;
  request.erase(request.begin(), request.begin() + sizeof(ethtool_eeprom));
  return ModuleMemory{info.type, std::move(request)};
}

std::optional<std::uint32_t> Ethtool::statistic_count(std::string_view interface) {
  struct {
    std::uint32_t cmd = ETHTOOL_GSSET_INFO;
    std::uint32_t reserved = 0;
    std::uint64_t mask = 1U << ETH_SS_STATS;
    std::uint32_t count = 0;
  } request;
  static_assert(offsetof(ethtool_sset_info, data) == offsetof(decltype(request), count));
  if (!ask(interface, &request)) return std::nullopt;
  if (request.mask != 0 && request.count > 0 && request.count <= kMaxStatistics) {
    return request.count;
  }
  errno_ = EOPNOTSUPP;  // none, or more than can be believed
  return std::nullopt;
}

std::optional<std::span<const char>> Ethtool::statistic_names(std::string_view interface) {
  const auto count = statistic_count(interface);
  if (!count) return std::nullopt;
  ethtool_gstrings header{};
  header.cmd = ETHTOOL_GSTRINGS;
  header.string_set = ETH_SS_STATS;
  header.len = *count;
  std::memcpy(buffer_.get(), &header, sizeof(header));
  if (!ask(interface, buffer_.get())) return std::nullopt;
  std::memcpy(&header, buffer_.get(), sizeof(header));
  const char* names = reinterpret_cast<const char*>(buffer_.get()) + sizeof(header);
  return std::span(names, std::min<std::size_t>(header.len, kMaxStatistics) * kStatisticNameBytes);
}

std::optional<std::span<const std::uint64_t>> Ethtool::statistics(std::string_view interface) {
  const auto count = statistic_count(interface);
  if (!count) return std::nullopt;
  ethtool_stats header{};
  header.cmd = ETHTOOL_GSTATS;
  header.n_stats = *count;
  static_assert(sizeof(header) == sizeof(std::uint64_t));
  std::memcpy(buffer_.get(), &header, sizeof(header));
  if (!ask(interface, buffer_.get())) return std::nullopt;
  std::memcpy(&header, buffer_.get(), sizeof(header));
  return std::span<const std::uint64_t>(buffer_.get() + 1,
                                        std::min<std::size_t>(header.n_stats, kMaxStatistics));
}

std::string_view DriverFacts::text(const Field& field) {
  const std::string_view all(field.data(), field.size());
  return all.substr(0, all.find('\0'));
}

std::string_view offload_name(std::size_t index) {
  return kOffloadTable[index].name;
}

std::string_view statistic_name(std::span<const char> names, std::size_t index) {
  const auto slot = names.subspan(index * kStatisticNameBytes, kStatisticNameBytes);
  const std::string_view text(slot.data(), slot.size());
  return text.substr(0, text.find('\0'));
}

std::optional<std::size_t> find_statistic(std::span<const char> names, std::string_view name) {
  for (std::size_t i = 0; i < names.size() / kStatisticNameBytes; ++i) {
    if (statistic_name(names, i) == name) return i;
  }
  return std::nullopt;
}

}  // namespace reveal::netlink
