// Shared by the collectors that ask network drivers (ethtool): the adapters of this host (the
// interfaces with a device behind them), and the error if the files are of another host.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "netlink/ethtool.h"
#include "procfs/host_root.h"

namespace reveal::collect {

class EthtoolAdapters {
 public:
  // Fails with kAbsent for a captured host, and if there is no adapter.
  base::Result<void> open(const procfs::HostRoot& root);

  // Returns the adapters' names as they are now, at most 64 of them.
  const std::vector<std::string>& names();

  // REQUIRES: open() succeeded.
  netlink::Ethtool& ethtool() { return *ethtool_; }

 private:
  std::string folder_;
  std::string path_;
  std::vector<std::string> entries_;
  std::vector<std::string> names_;
  std::optional<netlink::Ethtool> ethtool_;
};

}  // namespace reveal::collect
