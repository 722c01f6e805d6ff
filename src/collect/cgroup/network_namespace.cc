#include "collect/cgroup/network_namespace.h"

#include <cerrno>
#include <charconv>

#include <unistd.h>

#include "base/fnv.h"
#include "procfs/file_head.h"
#include "procfs/process.h"

namespace reveal::collect {
namespace {

using procfs::NetField;
using procfs::Value;
using Q = NetworkQuantity;

constexpr std::size_t kLargestText = 128U << 10;  // of a thousand interfaces

struct OfInterfaces {
  Q quantity;
  NetField field;
};
constexpr OfInterfaces kOfInterfaces[] = {
    {Q::kReceivedBytes, NetField::kRxBytes},  {Q::kReceivedPackets, NetField::kRxPackets},
    {Q::kReceiveErrors, NetField::kRxErrors}, {Q::kReceiveDrops, NetField::kRxDrops},
    {Q::kSentBytes, NetField::kTxBytes},      {Q::kSentPackets, NetField::kTxPackets},
    {Q::kSendErrors, NetField::kTxErrors},    {Q::kSendDrops, NetField::kTxDrops},
};

constexpr Q kOfProtocols[] = {Q::kTcpSegments, Q::kTcpRetransmits, Q::kUdpBufferErrors};

std::vector<std::string_view> protocol_keys() {
  return {"Tcp OutSegs", "Tcp RetransSegs", "Udp RcvbufErrors"};
}

Value& value_of(NetworkCounts& counts, Q quantity) {
  return counts.values[static_cast<std::size_t>(quantity)];
}

// Adds a name and a zero, which no name holds.
std::uint64_t add_name(std::uint64_t hash, std::string_view name) {
  return base::fnv1a(std::string_view("\0", 1), base::fnv1a(name, hash));
}

}  // namespace

NetworkNamespaceReader::NetworkNamespaceReader(const procfs::HostRoot& root)
    : path_(root.proc_path("")),
      root_(path_.size()),
      protocols_reader_(protocol_keys()),
      text_(kLargestText) {
  path_.reserve(root_ + 64);
}

void NetworkNamespaceReader::point_to(std::string_view process) {
  path_.resize(root_);
  path_.append(process).append("/");
  process_ = path_.size();
}

Value NetworkNamespaceReader::number_of(std::string_view process) {
  point_to(process);
  path_.append("ns/net");
  std::array<char, 64> link{};
  const ssize_t size = ::readlink(path_.c_str(), link.data(), link.size());
  error_ = size < 0 ? errno : 0;
  if (size < 0) return std::nullopt;
  const auto number =
      procfs::parse_namespace_link({link.data(), static_cast<std::size_t>(size)}, "net");
  if (!number) error_ = EINVAL;
  return number;
}

Value NetworkNamespaceReader::number_of(std::uint32_t pid) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), pid).ptr;
  return number_of({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

std::optional<NetworkCounts> NetworkNamespaceReader::read(std::uint32_t pid, std::uint64_t number) {
  if (number_of(pid) != number) return std::nullopt;
  NetworkCounts counts;
  add_interfaces(counts);
  add_protocols(counts);
  if (number_of(pid) != number) return std::nullopt;
  return counts;
}

// Returns the text of a file of the process that the latest number_of() was about; empty if it
// cannot be read, or is cut.
std::string_view NetworkNamespaceReader::read_whole(std::string_view file) {
  path_.resize(process_);
  path_.append(file);
  const auto text = procfs::read_head(path_, text_);
  if (!text || text->size() == text_.size() || !text->ends_with('\n')) return {};
  return *text;
}

void NetworkNamespaceReader::add_interfaces(NetworkCounts& counts) {
  interfaces_reader_.read(read_whole("net/dev"), interfaces_);
  if (interfaces_.empty()) return;
  for (const auto& row : kOfInterfaces) value_of(counts, row.quantity) = 0;
  for (const auto& interface : interfaces_) {
    if (interface.name == "lo") continue;
    counts.interfaces = add_name(counts.interfaces, interface.name);
    for (const auto& row : kOfInterfaces) {
      Value& sum = value_of(counts, row.quantity);
      const Value part = interface[row.field];
      sum = sum && part ? Value(*sum + *part) : std::nullopt;
    }
  }
}

void NetworkNamespaceReader::add_protocols(NetworkCounts& counts) {
  std::array<Value, std::size(kOfProtocols)> values;
  protocols_reader_.read(read_whole("net/snmp"), values);
  for (std::size_t i = 0; i < values.size(); ++i) value_of(counts, kOfProtocols[i]) = values[i];
}

}  // namespace reveal::collect
