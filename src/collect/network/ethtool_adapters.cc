#include "collect/network/ethtool_adapters.h"

#include <optional>

#include <unistd.h>

#include "procfs/attribute.h"

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxEntries = 4096;
constexpr std::size_t kMaxAdapters = 64;

}  // namespace

base::Result<void> EthtoolAdapters::open(const procfs::HostRoot& root) {
  if (!root.is_live()) {
    return base::fail(base::ErrorKind::kAbsent, "drivers are of the running kernel only", root.proc,
                      "leave --proc-root at /proc");
  }
  auto ethtool = netlink::Ethtool::open();
  if (!ethtool) return base::fail(base::ErrorKind::kAbsent, ethtool.error().what, "ethtool");
  ethtool_.emplace(std::move(*ethtool));
  folder_ = root.sys_path("class/net");
  if (!names().empty()) return {};
  return base::fail(base::ErrorKind::kAbsent, "no network adapter", folder_);
}

const std::vector<std::string>& EthtoolAdapters::names() {
  procfs::list_folder(folder_, entries_, kMaxEntries);
  names_.clear();
  for (const std::string& entry : entries_) {
    if (names_.size() >= kMaxAdapters) break;
    path_.assign(folder_).append("/").append(entry).append("/device");
    if (::access(path_.c_str(), F_OK) == 0) names_.push_back(entry);
  }
  return names_;
}

}  // namespace reveal::collect
