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
// all; since Linux 5.4 those that failed. A transport has bind count, connections, connect time,
// idle time, requests sent, answers, answers to nothing, the lengths of the send queue and of the
// backlog added up at each request, with "tcp" and "rdma" behind the local port. A mount with
// several connections has a line for each; their numbers are added up. An empty line ends a mount.
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
  std::string_view device{};  // "filer:/data"; points into the text, as does the next
  std::string_view point{};   // as the kernel writes it: a blank is "\040"
  Value read_bytes{};         // from the server
  Value written_bytes{};      // to the server
  Value connections{};        // made so far
  Value sent_requests{};
  Value unexpected_answers{};
  Value backlog_requests{};  // that waited for a free slot, added up at each request sent
  NfsOperation read{};
  NfsOperation write{};
  NfsOperation all{};  // of all operations; nothing if the text ends before the mount does
};

// Overwrites `out` with the NFS mounts in the order of the file.
void parse_mountstats(std::string_view text, std::vector<NfsMount>& out);

}  // namespace reveal::procfs
