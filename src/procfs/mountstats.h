// /proc/self/mountstats: what was asked of the server of each NFS mount, and how long it took.
//
//   device filer:/data mounted on /mnt/data with fstype nfs4 statvers=1.1
//           age:    86400
//           bytes:  4096 8192 0 0 4096 8192 1 2
//           RPC iostats version: 1.1  p/v: 100003/4 (nfs)
//           xprt:   tcp 889 1 1 0 12 5000 4999 1 6000 250 16 100 200
//           per-op statistics
//                   NULL: 1 1 0 44 24 0 0 0 0
//                   READ: 1000 1002 1 180000 4200000 30 5000 5100 0
//
// An operation has: operations, transmissions, major timeouts, bytes sent and received, the
// milliseconds that all waited to be sent, that the server took to answer, and that they took in
// all; since Linux 5.4 those that failed. Of a transport (net/sunrpc/xprtsock.c and
// xprtrdma/transport.c) the numbers are, with "udp" those marked * alone:
//
//   port*  bind count*  connections  connect time  idle time  requests sent*  answers*
//   answers to nothing*  requests in use*  backlog*      the latter two added up at each request
//   most slots*  send queue*  pending queue*             statvers 1.1; not with "rdma"
//   with "rdma" 10, 11 or 17 others: failed marshals and bad replies are the 9th and the 10th,
//   waits for a send context and for a send's end the 16th and the 17th
//
// "local" (a socket of Unix) has no port. The connect time is in seconds or, in some kernels, in
// jiffies, so it is not read. A mount with several connections has a line for each; their numbers
// are added up. An empty line ends a mount.
// https://man7.org/linux/man-pages/man8/mountstats.8.html
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct NfsOperation {
  Value operations{};
  Value retransmissions{};
  Value timeouts{};
  Value errors{};  // Linux 5.4
  Value queue_ms{};
  Value round_trip_ms{};
  Value execution_ms{};
};

struct NfsMount {
  // Points into the text, as does the next. Both are as the kernel writes them: a blank is "\040".
  std::string_view device{};  // "filer:/data"; several mounts may have it
  std::string_view point{};
  Value read_bytes{};     // from the server
  Value written_bytes{};  // to the server
  Value connections{};    // made so far
  Value sent_requests{};
  Value answers{};
  Value unexpected_answers{};
  Value used_slots{};        // requests that waited for an answer, added up likewise
  Value backlog_requests{};  // that waited for a free slot, added up at each request sent
  Value send_queue{};        // requests that waited to be sent, likewise
  Value pending_queue{};     // requests that waited for the answer, likewise
  Value failed_marshals{};   // of RDMA alone, as are the next
  Value bad_replies{};
  Value send_context_waits{};
  Value reply_send_waits{};
  NfsOperation read{};
  NfsOperation write{};
  NfsOperation all{};  // of all operations; nothing if the text ends before the mount does
};

// Overwrites `out` with the NFS mounts in the order of the file.
void parse_mountstats(std::string_view text, std::vector<NfsMount>& out);

}  // namespace reveal::procfs
