// The numbers are those of the kernel's include/uapi/linux/rtnetlink.h and gen_stats.h, written out
// here so that a mistaken name in the parser shows: TCA_KIND 1, TCA_OPTIONS 2, TCA_STATS 3,
// TCA_STATS2 7 with TCA_STATS_BASIC 1 and TCA_STATS_QUEUE 3.
#include "netlink/qdisc.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "netlink/message_bytes.h"

namespace reveal::netlink {
namespace {

constexpr std::uint32_t kRoot = 0xFFFFFFFF;
constexpr std::uint32_t kIngress = 0xFFFFFFF1;

MessageBytes header(std::uint32_t interface, std::uint32_t handle, std::uint32_t parent) {
  MessageBytes out;
  return out.u32(0).u32(interface).u32(handle).u32(parent).u32(2);
}

// What Linux 6.18 sends of a discipline with 7 packets of 9000 bytes in its queue.
MessageBytes answer(std::uint32_t parent, std::string_view kind) {
  MessageBytes queue;
  queue.u32(7).u32(9000).u32(5).u32(3).u32(2);
  MessageBytes statistics;
  statistics.attribute(1, MessageBytes().u64(4892770).u32(61639).u32(0)).attribute(3, queue);
  MessageBytes out = header(4, 0x80010000, parent);
  out.attribute(1, MessageBytes().text(kind));
  out.attribute(12, MessageBytes().u16(0));
  out.attribute(7, statistics);
  out.attribute(3, MessageBytes().zeros(40));
  return out;
}

TEST(Qdisc, RequestIsForAllInterfaces) {
  const auto request = qdisc_request();
  EXPECT_EQ(request.size(), 20u);
  EXPECT_TRUE(std::all_of(request.begin(), request.end(),
                          [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST(Qdisc, QueueAndDropsOfTheRoot) {
  const auto bytes = answer(kRoot, "fq_codel");
  const auto qdisc = parse_qdisc(bytes.bytes());
  ASSERT_TRUE(qdisc);
  EXPECT_EQ(qdisc->interface, 4u);
  EXPECT_EQ(qdisc->handle, 0x80010000u);
  EXPECT_EQ(qdisc->place, Qdisc::Place::kRoot);
  EXPECT_EQ(qdisc->kind, "fq_codel");
  EXPECT_EQ(qdisc->queued_packets, 7u);
  EXPECT_EQ(qdisc->queued_bytes, 9000u);
  EXPECT_EQ(qdisc->drops, 5u);
  EXPECT_EQ(qdisc->requeues, 3u);
  EXPECT_EQ(qdisc->overlimits, 2u);
}

TEST(Qdisc, PlaceIsWhatItHangsOn) {
  EXPECT_EQ(parse_qdisc(answer(kIngress, "clsact").bytes())->place, Qdisc::Place::kIngress);
  EXPECT_EQ(parse_qdisc(answer(0x80010001, "pfifo").bytes())->place, Qdisc::Place::kChild);
}

TEST(Qdisc, CutAnywhereGivesNothingOrLess) {
  const auto bytes = answer(kRoot, "fq_codel");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto qdisc = parse_qdisc(bytes.bytes().first(size));
    if (!qdisc) continue;
    EXPECT_EQ(qdisc->kind, "fq_codel");
    if (qdisc->drops) {
      EXPECT_EQ(*qdisc->drops, 5u) << size;
    }
  }
}

TEST(Qdisc, WithoutStatisticsThereAreNoNumbers) {
  MessageBytes bytes = header(1, 0, kRoot);
  bytes.attribute(1, MessageBytes().text("noqueue"));
  const auto qdisc = parse_qdisc(bytes.bytes());
  ASSERT_TRUE(qdisc);
  EXPECT_FALSE(qdisc->drops);
  EXPECT_FALSE(qdisc->queued_bytes);
}

TEST(Qdisc, NoInterfaceOrNoKindIsNone) {
  EXPECT_FALSE(parse_qdisc(answer(kRoot, "").bytes()));
  MessageBytes of_none = header(0, 0, kRoot);
  EXPECT_FALSE(parse_qdisc(of_none.attribute(1, MessageBytes().text("mq")).bytes()));
}

}  // namespace
}  // namespace reveal::netlink
