// How many objects of each kind exist on an RDMA device: queue pairs, completion queues, memory
// regions. The kernel counts them for all programs, and tells them to anybody (RDMA netlink,
// RDMA_NLDEV_CMD_RES_GET, Linux 4.16).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "netlink/message.h"

namespace reveal::netlink {

// In the order of kResourceNames.
enum class RdmaResource : std::uint8_t { kQp, kCq, kMr, kPd, kCmId, kCtx };
inline constexpr std::size_t kRdmaResources = 6;

struct RdmaResources {
  std::string_view device{};  // within the payload: "mlx5_0"
  std::array<std::optional<std::uint64_t>, kRdmaResources> counts{};  // by RdmaResource
};

// The type of the message to send, with no structure behind it.
std::uint16_t rdma_resources_request();

// Returns what an answer's payload says of one device; nothing if it is broken or names none.
std::optional<RdmaResources> parse_rdma_resources(Bytes payload);

}  // namespace reveal::netlink
