// The numbers are those of the kernel's include/uapi/rdma/rdma_netlink.h, written out here so that
// a mistaken name in the parser shows: DEV_INDEX 1, DEV_NAME 2, RES_SUMMARY 15, its ENTRY 16 with
// NAME 17 and CURR 18.
#include "netlink/rdma_resources.h"

#include <gmock/gmock.h>

#include "netlink/message_bytes.h"

namespace reveal::netlink {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

MessageBytes entry(std::string_view name, std::uint64_t count) {
  MessageBytes out;
  out.attribute(17, MessageBytes().text(name));
  out.attribute(0, MessageBytes());  // the kernel aligns numbers of 64 bits with an empty one
  out.attribute(18, MessageBytes().u64(count));
  return out;
}

MessageBytes device(std::string_view name) {
  MessageBytes summary;
  summary.attribute(16 | 0x8000, entry("pd", 3))
      .attribute(16 | 0x8000, entry("cq", 40))
      .attribute(16 | 0x8000, entry("qp", 512))
      .attribute(16 | 0x8000, entry("cm_id", 2))
      .attribute(16 | 0x8000, entry("srq", 1));
  MessageBytes out;
  out.attribute(1, MessageBytes().u32(0));
  out.attribute(2, MessageBytes().text(name));
  out.attribute(15 | 0x8000, summary);
  return out;
}

TEST(RdmaResources, RequestIsForTheResourcesOfNldev) {
  EXPECT_EQ(rdma_resources_request(), (5 << 10) + 9);
}

TEST(RdmaResources, CountsByName) {
  const auto bytes = device("mlx5_0");
  const auto parsed = parse_rdma_resources(bytes.bytes());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->device, "mlx5_0");
  EXPECT_THAT(parsed->counts, ElementsAre(Optional(512u), Optional(40u), std::nullopt, Optional(3u),
                                          Optional(2u), std::nullopt));
}

TEST(RdmaResources, CutAnywhereGivesNothingOrLess) {
  const auto bytes = device("mlx5_0");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto parsed = parse_rdma_resources(bytes.bytes().first(size));
    if (!parsed) continue;
    EXPECT_EQ(parsed->device, "mlx5_0");
    for (const auto& count : parsed->counts) EXPECT_EQ(count, std::nullopt) << size;
  }
}

TEST(RdmaResources, NamelessDeviceIsNone) {
  const auto bytes = device("");
  EXPECT_FALSE(parse_rdma_resources(bytes.bytes()));
}

}  // namespace
}  // namespace reveal::netlink
