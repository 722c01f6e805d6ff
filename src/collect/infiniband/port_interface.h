// The network interface of a port of an InfiniBand or RoCE adapter: what ties ib0 and its addresses
// to mlx5_0 port 1 and its counters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/attribute.h"

namespace reveal::collect {

class PortInterface {
 public:
  // `adapter` is the adapter's folder, ".../class/infiniband/mlx5_0"; `port` counts from 1.
  PortInterface(const std::string& adapter, std::string_view port);

  // Returns the interface's name, valid until the next call; nothing if the port has none. A RoCE
  // port says it itself: the interface of its first address, which is a bond if it is in one. Of an
  // InfiniBand port it is, of the interfaces of the adapter's PCI function that have the port's
  // number, the first by name: ib0, not ib0.8001. Allocates nothing once it has met all names.
  std::optional<std::string_view> read(procfs::AttributeReader& reader);

 private:
  std::string of_first_address_;
  std::string interfaces_;
  std::string number_;  // as interfaces count ports: from 0
  std::vector<std::string> names_;
  std::string path_;
  std::string name_;
};

}  // namespace reveal::collect
