// Sockets and interfaces made for the test, in a network namespace of its own, and what `ss` and
// `ip` say of the same ones at the same time. Needs root for the namespace, and those two programs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <net/if.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/registry.h"
#include "connection.h"
#include "netlink/ethtool.h"
#include "witness.h"

namespace reveal::collect {
namespace {

double sum_of(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out += value;
  return out;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool ss_says(const std::string& key) {
  return !numbers_after(output_of("ss -tinHO"), key).empty();
}

bool ip_says(const std::string& text) {
  return output_of("ip link show v0").find(text) != std::string::npos;
}

// Waits until `holds`, and gives up after a long time.
bool comes(const std::function<bool()>& holds) {
  for (int i = 0; i < 1500; ++i) {
    if (holds()) return true;
    ::usleep(20'000);
  }
  return false;
}

// One collector on the running kernel.
class Live {
 public:
  explicit Live(std::unique_ptr<Collector> collector, procfs::HostRoot root = {})
      : collector_(std::move(collector)), opened_(collector_->open(root, channels_)) {}

  bool opened() const { return opened_.has_value(); }
  std::string refusal() const { return opened_ ? "" : opened_.error().message(); }
  void tick() {
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
  }
  // Returns the last tick's value times its scale; NaN where it is missing.
  double value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    if (!id || !frame_.was_read(*id)) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(frame_.bits[id->index()]) * channels_.metric(*id).scale;
  }
  const std::vector<model::Note>& notes() const { return frame_.notes; }

 private:
  std::unique_ptr<Collector> collector_;
  model::ChannelTable channels_;
  base::Result<void> opened_;
  model::Frame frame_;
};

// Runs `body` on a thread that has network and mounts of its own; the rest of the program keeps
// those that it has.
class NetLive : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "a network namespace needs root";
    if (output_of("ss -V").find("iproute2") == std::string::npos) GTEST_SKIP() << "no ss here";
    if (output_of("ip -V").find("iproute2") == std::string::npos) GTEST_SKIP() << "no ip here";
  }
  void apart(const std::function<void()>& body) {
    bool apart = false;
    std::thread([&] {
      apart = ::unshare(CLONE_NEWNET | CLONE_NEWNS) == 0 &&
              ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
      if (!apart) return;
      output_of("ip link set lo up");
      body();
    }).join();
    if (!apart) GTEST_SKIP() << "this kernel gives no namespaces";
  }
};

TEST_F(NetLive, ConnectionsAreThoseOfSs) {
  apart([] {
    Listener v4(AF_INET);
    Listener v6(AF_INET6);
    std::vector<Connection> connections;
    for (int i = 0; i < 3; ++i) connections.push_back(v4.connect());
    for (int i = 0; i < 2; ++i) connections.push_back(v6.connect());
    for (const auto& connection : connections) connection.send(1000);
    connections[0].client.reset();  // the server is left in CLOSE_WAIT
    ::usleep(200'000);              // until late acknowledgements are in
    Live live(find_collector("tcp_sockets")->make());
    ASSERT_TRUE(live.opened()) << live.refusal();
    live.tick();
    const std::string all = output_of("ss -tinHO state established state close-wait");
    const std::string established = output_of("ss -tnH state established");
    EXPECT_EQ(live.value("network_tcp_established_sockets"),
              static_cast<double>(lines_of(established)))
        << established;
    EXPECT_EQ(live.value("network_tcp_close_wait_sockets"),
              static_cast<double>(lines_of(output_of("ss -tnH state close-wait"))));
    EXPECT_EQ(live.value("network_tcp_read_sockets"), static_cast<double>(lines_of(all))) << all;
    auto rtt = numbers_after(all, "rtt:");
    ASSERT_FALSE(rtt.empty()) << all;
    std::sort(rtt.begin(), rtt.end());
    EXPECT_NEAR(live.value("network_tcp_round_trip_p99_seconds"), rtt.back() * 1e-3, 1e-9) << all;
    EXPECT_NEAR(live.value("network_tcp_round_trip_median_seconds"), middle_of(rtt) * 1e-3, 1e-9)
        << all;
    auto window = numbers_after(all, "cwnd:");
    std::sort(window.begin(), window.end());
    EXPECT_EQ(live.value("network_tcp_window_median_segments"), middle_of(window));
    // The end of the stream counts as a byte.
    EXPECT_EQ(live.value("network_tcp_receive_queue_longest_bytes"), 1001) << all;
    EXPECT_THAT(all, ::testing::ContainsRegex("CLOSE-WAIT +1001 "));
  });
}

TEST_F(NetLive, BytesSentAgainAreThoseOfSs) {
  apart([] {
    Listener listener(AF_INET);
    const Connection connection = listener.connect();
    connection.send(100);
    Live live(find_collector("tcp_sockets")->make());
    ASSERT_TRUE(live.opened()) << live.refusal();
    connection.lose(true);
    connection.send(5000);
    ASSERT_TRUE(comes([] { return ss_says("bytes_retrans:"); }));
    live.tick();
    EXPECT_GE(live.value("network_tcp_unacknowledged_segments"), 1);
    connection.lose(false);
    ASSERT_TRUE(comes([] { return !ss_says("unacked:"); }));
    live.tick();
    const std::string all = output_of("ss -tinHO");
    EXPECT_EQ(live.value("network_tcp_retransmitted_bytes_total"),
              sum_of(numbers_after(all, "bytes_retrans:")))
        << all;
    EXPECT_GE(live.value("network_tcp_retransmitted_bytes_total"), 5000);
    EXPECT_EQ(live.value("network_tcp_lost_segments"), 0);
  });
}

TEST_F(NetLive, CountsFallAndCountersDoNotWhenConnectionsClose) {
  apart([] {
    Listener listener(AF_INET);
    Live live(find_collector("tcp_sockets")->make());
    ASSERT_TRUE(live.opened()) << live.refusal();
    {
      const Connection connection = listener.connect();
      connection.lose(true);
      connection.send(100);
      ASSERT_TRUE(comes([] { return ss_says("bytes_retrans:"); }));
      live.tick();
      EXPECT_EQ(live.value("network_tcp_established_sockets"), 2);
      connection.lose(false);
    }
    const double before = live.value("network_tcp_retransmitted_bytes_total");
    EXPECT_GE(before, 100);
    live.tick();
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 0);
    const Connection another = listener.connect();
    live.tick();
    EXPECT_EQ(live.value("network_tcp_retransmitted_bytes_total"), before);
  });
}

// Connections that a peer begins to open are told by walks alone, so that they are said in a tick
// shows that there was one.
TEST_F(NetLive, KnownConnectionsAreAskedForUntilOneComesOrGoes) {
  apart([] {
    Listener v4(AF_INET);
    Listener v6(AF_INET6);
    std::vector<Connection> connections;
    connections.push_back(v4.connect());
    connections.push_back(v6.connect());
    Live live(find_collector("tcp_sockets")->make());
    ASSERT_TRUE(live.opened()) << live.refusal();
    const auto walked = [&] { return !std::isnan(live.value("network_tcp_syn_received_sockets")); };
    live.tick();
    EXPECT_TRUE(walked());
    for (const auto& connection : connections) connection.send(700);
    live.tick();
    EXPECT_FALSE(walked());
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 4);
    EXPECT_EQ(live.value("network_tcp_receive_queue_longest_bytes"), 700);
    const std::string all = output_of("ss -tinHO state established");
    auto rtt = numbers_after(all, "rtt:");
    std::sort(rtt.begin(), rtt.end());
    EXPECT_NEAR(live.value("network_tcp_round_trip_median_seconds"), middle_of(rtt) * 1e-3, 1e-9)
        << all;
    connections.push_back(v4.connect());
    live.tick();
    EXPECT_TRUE(walked());
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 6);
    live.tick();
    EXPECT_FALSE(walked());
    connections[2].client.reset();  // in FIN_WAIT2, and its server in CLOSE_WAIT: as many in use
    live.tick();
    EXPECT_FALSE(walked());
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 4);
    EXPECT_EQ(live.value("network_tcp_close_wait_sockets"), 1);
    connections.pop_back();
    live.tick();
    EXPECT_TRUE(walked());
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 4);
    EXPECT_EQ(live.value("network_tcp_close_wait_sockets"), 0);
  });
}

TEST_F(NetLive, MoreConnectionsThanAreReadAreASample) {
  constexpr std::size_t kConnections = 1100;  // 2,200 sockets; 2,048 are read
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  rlimit more = files;
  more.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &more);
  if (more.rlim_cur < 4096) GTEST_SKIP() << "too few files may be open";
  apart([] {
    Listener listener(AF_INET);
    std::vector<Connection> connections;
    for (std::size_t i = 0; i < kConnections; ++i) connections.push_back(listener.connect());
    Live live(find_collector("tcp_sockets")->make());
    ASSERT_TRUE(live.opened()) << live.refusal();
    live.tick();
    EXPECT_EQ(live.value("network_tcp_read_sockets"), 2048);
    EXPECT_TRUE(std::isnan(live.value("network_tcp_established_sockets")));
    EXPECT_GT(live.value("network_tcp_round_trip_median_seconds"), 0);
    ASSERT_EQ(live.notes().size(), 1u);
    EXPECT_EQ(live.notes()[0].subject, "TCP connections read");
    connections.resize(10);
    live.tick();
    EXPECT_EQ(live.value("network_tcp_established_sockets"), 20);
    ASSERT_EQ(live.notes().size(), 1u);
    EXPECT_EQ(live.notes()[0].text, "");
  });
  ::setrlimit(RLIMIT_NOFILE, &files);
}

TEST_F(NetLive, InterfaceOfTheTestIsThatOfIp) {
  apart([] {
    if (!output_of(
             "ip link add v0 mtu 1234 txqueuelen 77 numrxqueues 1 type veth peer name v1 2>&1")
             .empty())
      return;
    output_of("ip link set v0 up");
    output_of("ip link set v1 up");
    ASSERT_TRUE(comes([] { return ip_says("state UP"); }));
    const std::string sys = ::testing::TempDir() + "net_live_sys_" + std::to_string(::getpid());
    ::mkdir(sys.c_str(), 0700);
    ASSERT_EQ(::mount("sysfs", sys.c_str(), "sysfs", 0, nullptr), 0);
    Live live(find_collector("net_link")->make(), {"/proc", sys});
    ASSERT_TRUE(live.opened()) << live.refusal();
    live.tick();
    EXPECT_EQ(live.value("network_mtu_bytes{dev=v0}"), 1234);
    EXPECT_EQ(live.value("network_send_queue_limit_packets{dev=v0}"), 77);
    const std::string shown = output_of("ip -d link show v0");
    EXPECT_EQ(live.value("network_operational_state{dev=v0}"), 6);
    EXPECT_EQ(live.value("network_receive_queues{dev=v0}"),
              numbers_after(shown, "numrxqueues ").at(0));
    output_of("ip link set v1 down");
    ASSERT_TRUE(comes([] { return ip_says("state LOWERLAYERDOWN"); }));
    live.tick();
    EXPECT_EQ(live.value("network_operational_state{dev=v0}"), 3);  // lower layer down
    output_of("ip link del v0");
    live.tick();
    EXPECT_TRUE(std::isnan(live.value("network_mtu_bytes{dev=v0}")));
    ::umount2(sys.c_str(), MNT_DETACH);
    ::rmdir(sys.c_str());
  });
}

TEST_F(NetLive, DriverOfTheTestSaysItsStatistics) {
  apart([] {
    if (!output_of("ip link add v0 type veth peer name v1 2>&1").empty()) return;
    auto ethtool = netlink::Ethtool::open();
    ASSERT_TRUE(ethtool);
    const auto driver = ethtool->driver("v0");
    ASSERT_TRUE(driver);
    EXPECT_EQ(netlink::DriverFacts::text(driver->driver), "veth");
    const auto names = ethtool->statistic_names("v0");
    ASSERT_TRUE(names);
    const auto at = netlink::find_statistic(*names, "peer_ifindex");
    ASSERT_TRUE(at);
    EXPECT_FALSE(netlink::find_statistic(*names, "peer_ifinde"));
    const auto values = ethtool->statistics("v0");
    ASSERT_TRUE(values);
    ASSERT_EQ(values->size(), names->size() / netlink::kStatisticNameBytes);
    EXPECT_EQ((*values)[*at], ::if_nametoindex("v1"));
    const auto offloads = ethtool->offloads("v0");
    ASSERT_TRUE(offloads);
    EXPECT_EQ(netlink::offload_name(3), "TSO");
    EXPECT_NE(*offloads & 1U << 3, 0U);  // veth begins with it on
    EXPECT_FALSE(ethtool->driver("none"));
    EXPECT_EQ(ethtool->last_errno(), ENODEV);
    EXPECT_FALSE(ethtool->statistics("lo"));
    EXPECT_FALSE(ethtool->driver(std::string(40, 'x')));
  });
}

}  // namespace
}  // namespace reveal::collect
