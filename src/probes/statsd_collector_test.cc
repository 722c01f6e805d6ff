#include "probes/statsd_collector.h"

#include <gmock/gmock.h>

#include "probes/testing/reading.h"
#include "probes/testing/udp_client.h"

namespace reveal::probes {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

LoopbackAddress address_of(std::uint16_t port) {
  return {"127.0.0.1", port, false};
}

class Statsd : public ::testing::Test {
 protected:
  Statsd()
      : probe_(std::make_unique<StatsdCollector>(address_of(port_), declared())), client_(port_) {
    const auto opened = probe_.open();
    EXPECT_TRUE(opened) << opened.error().message();
  }

  void send(std::string_view text) const { EXPECT_TRUE(client_.send(text)) << text; }

  std::uint16_t port_ = free_port();
  Reading probe_;
  UdpClient client_;
};

TEST_F(Statsd, CountsAddUpFromZero) {
  send("steps.total:3|c\nsteps_total:1|c|@0.5");
  probe_.tick();
  EXPECT_EQ(probe_.value("steps_total"), 0) << "so that the first count is in the rate, too";
  probe_.tick();
  EXPECT_EQ(probe_.value("steps_total"), 5);
  send("steps_total:1|c");
  probe_.tick();
  EXPECT_EQ(probe_.value("steps_total"), 6);
  probe_.tick();
  EXPECT_EQ(probe_.value("steps_total"), 6);
  EXPECT_TRUE(probe_.is_new("steps_total")) << "nothing came, which is known";
}

TEST_F(Statsd, LevelsStandAndStep) {
  send("step_seconds:0.5|g|#rank:0");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds{rank=0}"), 0.5);
  EXPECT_TRUE(probe_.is_new("step_seconds{rank=0}"));
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds{rank=0}"), 0.5);
  EXPECT_FALSE(probe_.is_new("step_seconds{rank=0}"));
  send("step_seconds:+1|g|#rank:0\nstep_seconds:-0.25|g|#rank:0");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds{rank=0}"), 1.25);
}

TEST_F(Statsd, TimingsAreTheirMean) {
  send("step_seconds:1:2:6|ms");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds"), 3);
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds"), 3);
  EXPECT_FALSE(probe_.is_new("step_seconds")) << "the mean of before";
  send("step_seconds:10|ms");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds"), 10);
}

TEST_F(Statsd, TellsWhatItDoesNotTake) {
  send("other:1|c");
  send("step_seconds:1|c");
  send("steps_total:1|g");
  send("garbage");
  send(std::string_view("\0\xff\n\n|||:::", 10));
  probe_.tick();
  EXPECT_EQ(probe_.channels().channel_count(), 0u);
  EXPECT_EQ(probe_.remark("statsd: metrics that are not declared"), "other");
  EXPECT_THAT(probe_.remark("statsd: lines that are not read"), HasSubstr("another type"));
  probe_.tick();
  EXPECT_EQ(probe_.notes(), 0u);
}

TEST_F(Statsd, ManyUndeclaredNamesAreNotEvenRemembered) {
  for (int i = 0; i < 1000; ++i) send("made_up_" + std::to_string(i) + ":1|c");
  probe_.tick();
  EXPECT_THAT(probe_.remark("statsd: metrics that are not declared"), HasSubstr(" and others"));
  EXPECT_LT(probe_.remark("statsd: metrics that are not declared").size(), 200u);
}

TEST_F(Statsd, AFloodCostsNoMoreThanItsBound) {
  std::string datagram;
  for (int i = 0; i < 100; ++i) {
    datagram += "steps_total:1|c|#i:" + std::to_string(i) + "\n";
  }
  std::size_t sent = 0;
  for (int i = 0; i < 3000; ++i) sent += client_.send(datagram) ? 1U : 0U;
  probe_.tick();
  // The kernel tells of what it dropped with the next that it takes.
  send("steps_total:1|c");
  for (int i = 0; i < 20 && !probe_.value("steps_total"); ++i) probe_.tick();
  probe_.tick();
  EXPECT_EQ(probe_.channels().channel_count(), 101u);
  double total = 0;
  for (int i = 0; i < 100; ++i) {
    total += probe_.value("steps_total{i=" + std::to_string(i) + "}").value_or(0);
  }
  const bool lost = total < 100.0 * static_cast<double>(sent);
  EXPECT_EQ(probe_.remark("statsd: datagrams lost").empty(), !lost);
}

TEST_F(Statsd, APortThatAnotherHasIsSaidWithARemedy) {
  Reading other(std::make_unique<StatsdCollector>(address_of(port_), declared()));
  const auto opened = other.open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(),
              AllOf(HasSubstr(std::to_string(port_)), HasSubstr("statsd in [probes]")));
}

TEST(LoopbackAddress, IsOfThisHostAlone) {
  const auto v4 = loopback_address("127.0.0.1:8125");
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->host, "127.0.0.1");
  EXPECT_EQ(v4->port, 8125);
  const auto v6 = loopback_address("[::1]:8125");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_TRUE(v6->is_v6);
  EXPECT_TRUE(loopback_address("127.9.8.7:1"));
  for (const char* bad : {"", "8125", ":8125", "0.0.0.0:8125", "10.0.0.1:8125", "[::]:8125",
                          "::1:8125", "localhost:8125", "127.0.0.1:0", "127.0.0.1:65536",
                          "127.0.0.1:", "127.0.0.1:x", "[::ffff:10.0.0.1]:1", "[]:1", "[:1"}) {
    const auto refused = loopback_address(bad);
    EXPECT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::kUsage) << bad;
  }
}

}  // namespace
}  // namespace reveal::probes
