// The network namespace of a process, and what its interfaces, TCP and UDP counted, from
// /proc/PID/ns/net, /proc/PID/net/dev and /proc/PID/net/snmp. See namespaces(7) and
// https://docs.kernel.org/networking/statistics.html.
//
// Nothing is kept open: a descriptor of a file below /proc/PID/net keeps the namespace, and its
// interfaces on the host's side, after its last process has ended. Each file is opened for one
// reading, which takes some 30 us instead of the 10 to 25 of one that is kept open.
//
// A process may end at any moment, and its number be given to another. What a reading says is that
// of the namespace asked for, because the link is read after the counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collect/parts/metric_rows.h"
#include "procfs/host_root.h"
#include "procfs/net_dev.h"
#include "procfs/paired_layout.h"

namespace reveal::collect {

// Those of interfaces first.
enum class NetworkQuantity : std::uint8_t {
  kReceivedBytes,
  kReceivedPackets,
  kReceiveErrors,
  kReceiveDrops,
  kSentBytes,
  kSentPackets,
  kSendErrors,
  kSendDrops,
  kTcpSegments,
  kTcpRetransmits,
  kUdpBufferErrors,
};
inline constexpr std::size_t kNetworkQuantities =
    static_cast<std::size_t>(NetworkQuantity::kUdpBufferErrors) + 1;

// Returns whether the quantity is a sum over interfaces.
constexpr bool is_of_interfaces(NetworkQuantity quantity) {
  return quantity < NetworkQuantity::kTcpSegments;
}

struct NetworkCounts {
  // By quantity. Sums are over all interfaces but lo; there is none if an interface lacks its part.
  std::array<procfs::Value, kNetworkQuantities> values;
  // Tells sets of interfaces apart: a sum does not go on where one came or went.
  std::uint64_t interfaces = 0;
};

class NetworkNamespaceReader {
 public:
  explicit NetworkNamespaceReader(const procfs::HostRoot& root);

  // Returns the number of the process's namespace; nothing if the process is gone or may not be
  // asked. `process` is "self" or its number.
  procfs::Value number_of(std::string_view process);
  procfs::Value number_of(std::uint32_t pid);
  // Returns the errno of the latest number_of(); 0 if it returned a number.
  int error() const { return error_; }

  // Reads the counters of that namespace by one of its processes. Returns nothing if the process
  // is gone or is in another namespace; values of a file that cannot be read are missing.
  std::optional<NetworkCounts> read(std::uint32_t pid, std::uint64_t number);

 private:
  std::string_view read_whole(std::string_view file);
  void add_interfaces(NetworkCounts& counts);
  void add_protocols(NetworkCounts& counts);
  void point_to(std::string_view process);

  std::string path_;         // "/proc/812/"
  std::size_t root_ = 0;     // its part before the process
  std::size_t process_ = 0;  // its part before the file
  int error_ = 0;
  procfs::NetDevReader interfaces_reader_;
  std::vector<procfs::InterfaceStats> interfaces_;
  procfs::PairedLayout protocols_reader_;
  std::vector<char> text_;
};

}  // namespace reveal::collect
