// /proc/net/udp and udp6: a line for each UDP socket, with the bytes that wait in its queues.
//
//    sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
//   7: 00000000:0044 00000000:0000 07 00000000:00000300 00:00000000 00000000     0        0 24601 2
//
// The fifth word is what is to be sent and what the program has not read, in hexadecimal.
// https://docs.kernel.org/networking/proc_net_tcp.html
#pragma once

#include <cstdint>
#include <string_view>

namespace reveal::procfs {

struct UdpQueues {
  std::uint64_t sockets = 0;
  std::uint64_t send_bytes = 0;             // of all sockets
  std::uint64_t receive_bytes = 0;          // of all sockets
  std::uint64_t longest_receive_bytes = 0;  // of the socket that has most
};

// Adds the sockets of a file to `out`. Returns false if a line was cut or has another shape: the
// sums then lack something.
bool add_udp_queues(std::string_view text, UdpQueues& out);

}  // namespace reveal::procfs
