// /proc/net/rpc/nfs: what the NFS client has asked of its servers, all mounts together.
//
//   net 0 0 0 0
//   rpc 5000000 123 5000100
//   proc3 22 0 800000 ...
//
// /proc/net/rpc/nfsd: what the NFS server was asked.
//
//   rc 0 5131 1246213
//   fh 0 0 0 0 0
//   io 4096000 8192000
//   th 8 0 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
//   net 1251344 0 1251350 12
//   rpc 1251344 3 3 0 0
//   proc3 22 0 800000 ...
//
// The lines "rpc" and "net" are of 32 bits in both files. The server's bytes, its reply cache and
// its stale handles are so before Linux 5.13, and of 64 bits since.
// https://docs.kernel.org/filesystems/nfs/index.html
#pragma once

#include "procfs/placed_layout.h"

namespace reveal::procfs {

inline constexpr PlacedLine kNfsLines[] = {{"rpc", {{"calls", "retrans"}}}};
inline constexpr PlacedLine kNfsdLines[] = {
    {"rc", {{"hits", "misses", "nocache"}}},
    {"fh", {{"stale"}}},
    {"io", {{"read", "written"}}},
    {"th", {{"threads"}}},
    {"net", {{"packets", "udp", "tcp", "connections"}}},
    {"rpc", {{"calls", "badcalls"}}},
};

// Reads the client's values: "rpc calls", "rpc retrans".
class RpcLayout : public PlacedLayout {
 public:
  explicit RpcLayout(const std::vector<std::string_view>& keys) : PlacedLayout(kNfsLines, keys) {}
};

// Reads the server's: "io read", "th threads".
class NfsdLayout : public PlacedLayout {
 public:
  explicit NfsdLayout(const std::vector<std::string_view>& keys) : PlacedLayout(kNfsdLines, keys) {}
};

}  // namespace reveal::procfs
