// Any bytes as what the kernel answers by netlink, and as the memory of an optical module; the
// first byte chooses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "netlink/message.h"
#include "netlink/optics.h"
#include "netlink/qdisc.h"
#include "netlink/rdma_resources.h"
#include "netlink/tcp_socket.h"
#include "netlink/tcp_summary.h"

namespace {

using namespace reveal::netlink;

void require(bool holds) {
  if (!holds) std::abort();
}

void fuzz_messages(Bytes bytes) {
  TcpSummary summary(16);
  summary.begin();
  MessageCursor messages(bytes);
  std::size_t seen = 0;
  for (Message message; messages.next(message);) {
    require(++seen * 16 <= bytes.size());
    if (const auto socket = parse_tcp_socket(message.payload)) summary.add(*socket);
    const auto resources = parse_rdma_resources(message.payload);
    require(!resources || resources->device.size() < message.payload.size());
    const auto qdisc = parse_qdisc(message.payload);
    require(!qdisc || qdisc->kind.size() < message.payload.size());
  }
  summary.end(true);
  require(summary.sockets() <= 16);
}

void fuzz_attributes(Bytes bytes) {
  AttributeCursor attributes(bytes, 8);
  std::size_t total = 0;
  for (Attribute attribute; attributes.next(attribute);) {
    total += 4 + attribute.payload.size();
    require(attribute.text().size() <= attribute.payload.size());
  }
  require(total <= bytes.size());
}

void fuzz_optics(std::span<const std::uint8_t> memory) {
  for (std::uint32_t type = 0; type < 6; ++type) parse_optics(type, memory);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  const Bytes bytes = std::as_bytes(rest);
  if (data[0] % 3 == 0) fuzz_messages(bytes);
  if (data[0] % 3 == 1) fuzz_attributes(bytes);
  if (data[0] % 3 == 2) fuzz_optics(rest);
  return 0;
}
