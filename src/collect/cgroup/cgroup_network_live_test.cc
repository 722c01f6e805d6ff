// The collector against the running kernel: a child in a group made here sends datagrams in a
// network namespace of its own, and what the collector says is held against how many it sent. Needs
// root, a hierarchy that may be written, iproute2 and veth; skipped elsewhere.
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/cgroup/cgroup_network_collector.h"
#include "collect/cgroup/testing/live_group.h"

namespace reveal::collect {
namespace {

constexpr int kDatagrams = 500;
constexpr int kPayload = 1000;
constexpr int kHeaders = 8 + 20 + 14;  // UDP, IP, Ethernet

// Enters a new network of two interfaces, and sends datagrams from one to the other, at which
// nobody wants them. Returns how many.
int send_in_a_new_network() {
  if (::unshare(CLONE_NEWNET) != 0) return 0;
  constexpr const char* kMake =
      "exec 2>/dev/null; ip link add reveal0 type veth peer name reveal1 && "
      "ip addr add 192.0.2.1/24 dev reveal0 && ip link set reveal0 up && ip link set reveal1 up && "
      "ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:01 dev reveal0";
  if (std::system(kMake) != 0) return 0;
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ::sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(0xC0000202);  // 192.0.2.2
  const std::array<char, kPayload> payload{};
  int sent = 0;
  for (int i = 0; i < kDatagrams; ++i) {
    const auto took = ::sendto(socket.get(), payload.data(), payload.size(), 0,
                               reinterpret_cast<const ::sockaddr*>(&to), sizeof to);
    sent += took == kPayload ? 1 : 0;
  }
  return sent;
}

TEST(CgroupNetworkLive, DatagramsInANetworkOfItsOwnAreTheGroups) {
  std::optional<LiveGroup> group(std::in_place, "cpuacct");
  if (!group->made()) group.emplace("");
  if (!group->made()) GTEST_SKIP() << "no hierarchy of control groups may be written here";
  void* page = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* sent = new (page) std::atomic<int>(0);
  Child child(*group, [&] { *sent = send_in_a_new_network(); });
  ASSERT_TRUE(child.wait_for_work());
  if (*sent == 0) GTEST_SKIP() << "no network namespace with a pair of interfaces can be made here";

  CgroupNetworkCollector collector;
  model::ChannelTable channels;
  const auto opened = collector.open({}, channels);
  ASSERT_TRUE(opened) << opened.error().message();
  model::Frame frame;
  FrameWriter writer(channels, frame);
  const auto value = [&](std::string_view metric) -> std::uint64_t {
    const auto id = channels.find_channel(fmt::format("{}{{{}}}", metric, LiveGroup::instance()));
    return id && frame.was_read(*id) ? frame.bits[id->index()] : 0;
  };
  collector.collect(writer);
  // The kernel sends a few packets of its own when interfaces come up.
  const auto packets = static_cast<std::uint64_t>(*sent);
  for (const std::string way : {"sent", "received"}) {
    const auto seen = value("network_cgroup_" + way + "_packets_total");
    const auto bytes = value("network_cgroup_" + way + "_bytes_total");
    EXPECT_GE(seen, packets) << way;
    EXPECT_LE(seen, packets + 50) << way;
    EXPECT_GE(bytes, packets * (kPayload + kHeaders)) << way;
    EXPECT_LE(bytes, packets * (kPayload + kHeaders) + 10'000) << way;
  }

  child.end();
  for (auto& validity : frame.validity) validity = model::Validity::kMissing;
  collector.collect(writer);
  EXPECT_EQ(value("network_cgroup_sent_packets_total"), 0u) << "the network ended with the child";
  ::munmap(page, sizeof(std::atomic<int>));
}

}  // namespace
}  // namespace reveal::collect
