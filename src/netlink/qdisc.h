// One queueing discipline of an interface as the kernel describes it (rtnetlink, RTM_GETQDISC): the
// queue of packets that wait to be sent, and what it dropped.
//
// The kernel answers with struct tcmsg (20 bytes: family 1 + padding 3 + interface 4 + handle 4 +
// parent 4 + info 4) and attributes: TCA_KIND names the discipline, TCA_STATS2 has TCA_STATS_QUEUE
// in it, five numbers of 32 bits. A discipline with classes or with a queue for each core (mq,
// mqprio) tells its children's sums as its own, so that the root alone is the interface.
// https://man7.org/linux/man-pages/man8/tc.8.html
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "netlink/message.h"

namespace reveal::netlink {

struct Qdisc {
  enum class Place : std::uint8_t { kRoot, kIngress, kChild };

  std::uint32_t interface = 0;  // its index
  std::uint32_t handle = 0;     // of its own; 0 of one that the kernel chose
  Place place = Place::kChild;
  std::string_view kind{};  // "fq_codel"; within the payload

  std::optional<std::uint32_t> queued_packets{};
  std::optional<std::uint32_t> queued_bytes{};
  std::optional<std::uint32_t> drops{};
  std::optional<std::uint32_t> requeues{};    // sent back by an adapter that had no room
  std::optional<std::uint32_t> overlimits{};  // times that a limit held a packet back
};

// Returns what an answer's payload says; nothing if it is broken or names no kind.
std::optional<Qdisc> parse_qdisc(Bytes payload);

// Returns the structure to send with RTM_GETQDISC for those of all interfaces.
std::array<std::byte, 20> qdisc_request();

}  // namespace reveal::netlink
