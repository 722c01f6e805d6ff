#include "exchange/channel_name.h"

#include <gtest/gtest.h>

namespace reveal::exchange {
namespace {

void expect(std::string_view name, std::string_view metric, std::string_view instance) {
  const auto got = channel_of_name(name);
  EXPECT_EQ(got.metric, metric) << name;
  EXPECT_EQ(got.instance, instance) << name;
}

TEST(ChannelNames, AreTakenApart) {
  expect("cpu_busy_ratio", "cpu_busy_ratio", "");
  expect("cpu_busy_ratio{cpu=3}", "cpu_busy_ratio", "cpu=3");
  expect("io{dev=a,state=C6}", "io", "dev=a,state=C6");
  expect(R"(node_cpu_seconds_total{cpu="0",mode="idle"})", "node_cpu_seconds_total",
         "cpu=0,mode=idle");
  expect(R"(x{a="1,2",b="say \"hi\""})", "x", R"(a=1,2,b=say "hi")");
  expect(R"({__name__="up",cpu="1"})", "up", "cpu=1");
  expect("cg{weird}", "cg", "weird");
}

TEST(ChannelNames, FindWhatIsNumbered) {
  expect("cpu3_usage", "cpu_usage", "cpu=3");
  expect("usage.cpu12", "usage_cpu", "cpu=12");
  expect("GPU 0 temp", "GPU_temp", "gpu=0");
  expect("gpu7", "gpu", "gpu=7");
  expect("eth0.rx_bytes", "rx_bytes", "dev=eth0");
  expect("disk/nvme0n1/reads", "disk_reads", "dev=nvme0n1");
  expect("sda util", "util", "dev=sda");
  expect("eth0", "eth0", "");
}

TEST(ChannelNames, LeaveOtherNumbersAlone) {
  expect("load1", "load1", "");
  expect("p99_latency", "p99_latency", "");
  expect("cpu0_to_gpu1_bytes", "cpu0_to_gpu1_bytes", "");
  expect("ibm_total", "ibm_total", "");
}

TEST(ChannelNames, BecomeMetricsOfPlainCharacters) {
  expect("  Used memory, total ", "Used_memory_total", "");
  expect("%", "value", "");
  expect("", "value", "");
}

TEST(ChannelNames, LeaveLabelsOut) {
  const Labels labels{{"__name__", "up"}, {"instance", "h:9100"}, {"job", "node"}, {"cpu", "0"}};
  EXPECT_EQ(channel_of_labels("x", labels, {"instance", "job"}), (ChannelName{"up", "cpu=0"}));
  EXPECT_EQ(channel_of_labels("x", labels, {"instance"}), (ChannelName{"up", "job=node,cpu=0"}));
  EXPECT_EQ(channel_of_labels("x", {}, {}), (ChannelName{"x", ""}));
}

}  // namespace
}  // namespace reveal::exchange
