#include "netlink/rdma_resources.h"

#include <algorithm>

#include <rdma/rdma_netlink.h>

namespace reveal::netlink {
namespace {

constexpr std::array<std::string_view, kRdmaResources> kResourceNames = {"qp", "cq",    "mr",
                                                                         "pd", "cm_id", "ctx"};

// Reads one entry of the summary: a name and a count. Returns false if it is broken.
bool read_entry(Bytes entry, RdmaResources& out) {
  std::string_view name;
  std::optional<std::uint64_t> count;
  AttributeCursor attributes(entry);
  for (Attribute attribute; attributes.next(attribute);) {
    if (attribute.type == RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME) name = attribute.text();
    if (attribute.type == RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR) {
      count = load<std::uint64_t>(attribute.payload);
    }
  }
  const auto at = std::find(kResourceNames.begin(), kResourceNames.end(), name);
  if (at != kResourceNames.end()) {
    out.counts[static_cast<std::size_t>(at - kResourceNames.begin())] = count;
  }
  return !attributes.broken();
}

bool read_summary(Bytes summary, RdmaResources& out) {
  AttributeCursor entries(summary);
  for (Attribute entry; entries.next(entry);) {
    if (entry.type != RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY) continue;
    if (!read_entry(entry.payload, out)) return false;
  }
  return !entries.broken();
}

}  // namespace

std::uint16_t rdma_resources_request() {
  return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_GET);
}

std::optional<RdmaResources> parse_rdma_resources(Bytes payload) {
  RdmaResources out;
  bool sound = true;
  AttributeCursor attributes(payload);
  for (Attribute attribute; attributes.next(attribute);) {
    if (attribute.type == RDMA_NLDEV_ATTR_DEV_NAME) out.device = attribute.text();
    if (attribute.type == RDMA_NLDEV_ATTR_RES_SUMMARY) {
      sound = sound && read_summary(attribute.payload, out);
    }
  }
  if (attributes.broken() || !sound || out.device.empty()) return std::nullopt;
  return out;
}

}  // namespace reveal::netlink
