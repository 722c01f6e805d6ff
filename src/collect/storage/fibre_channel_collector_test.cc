#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

class FibreChannel : public ::testing::Test {
 protected:
  FibreChannel() {
    write("port_state", "Online");
    write("speed", "16 Gbit");
    write("statistics/link_failure_count", "0x1f");
    write("statistics/rx_words", "0x100");
  }
  void write(const std::string& file, const std::string& line) const {
    host_.write("sys/class/fc_host/host3/" + file, line + "\n");
  }
  TestHost host_{*find_collector("fibre_channel")};
};

TEST_F(FibreChannel, CountersAreHexadecimalAndWordsHaveFourBytes) {
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.value("storage_fc_link_failures_total{fc=host3}"), 31);
  EXPECT_EQ(host_.value("storage_fc_received_bytes_total{fc=host3}"), 1024);
  EXPECT_EQ(host_.value("storage_fc_speed_bits_per_second{fc=host3}"), 16e9);
  EXPECT_EQ(host_.value("storage_fc_port_online_flag{fc=host3}"), 1);
}

TEST_F(FibreChannel, WhatTheDriverDoesNotCountIsMissing) {
  ASSERT_TRUE(host_.open());
  for (const char* line : {"0xffffffffffffffff", "31", "0x", "0x1g", "0x10000000000000000", ""}) {
    write("statistics/link_failure_count", line);
    host_.tick();
    EXPECT_FALSE(host_.value("storage_fc_link_failures_total{fc=host3}")) << line;
  }
}

TEST_F(FibreChannel, ALinkThatIsDownHasNoSpeed) {
  ASSERT_TRUE(host_.open());
  write("port_state", "Linkdown");
  write("speed", "unknown");
  host_.tick();
  EXPECT_EQ(host_.value("storage_fc_port_online_flag{fc=host3}"), 0);
  EXPECT_FALSE(host_.value("storage_fc_speed_bits_per_second{fc=host3}"));
  write("port_state", "Unknown");
  write("speed", "Not Negotiated");
  host_.tick();
  EXPECT_FALSE(host_.value("storage_fc_port_online_flag{fc=host3}"));
  EXPECT_FALSE(host_.value("storage_fc_speed_bits_per_second{fc=host3}"));
}

}  // namespace
}  // namespace reveal::collect
