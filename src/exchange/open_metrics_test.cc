#include "exchange/open_metrics.h"

#include <gtest/gtest.h>

#include "exchange/testing/test_frames.h"

namespace reveal::exchange {
namespace {

using model::ChannelId;
using model::Validity;

TEST(OpenMetrics, LabelsComeFromTheInstance) {
  EXPECT_EQ(open_metrics_labels("h", ""), R"({host="h"})");
  EXPECT_EQ(open_metrics_labels("h", "cpu=3,state=C6"), R"({host="h",cpu="3",state="C6"})");
  EXPECT_EQ(open_metrics_labels("a\"b", "odd"), R"({host="a\"b",part="odd"})");
  EXPECT_EQ(open_metrics_labels("h", "9p-x=1"), R"({host="h",_9p_x="1"})");
}

// Two ticks of a counter with two instances and a gauge with a scale, as the specification has it.
TEST(OpenMetrics, GroupsByMetricAndEnds) {
  const test_frames::TempDir dir;
  model::ChannelTable channels;
  model::MetricDescriptor reads;
  reads.name = "storage_reads_total";
  reads.kind = model::Kind::kCounter;
  reads.help = "Reads.";
  const auto reads_id = channels.add_metric(reads);
  channels.add_channel(reads_id, "dev=sda");
  model::MetricDescriptor time;
  time.name = "cpu_wait_seconds";
  time.unit = "seconds";
  time.scale = 0.01;
  channels.add_channel(channels.add_metric(time));
  channels.add_channel(reads_id, "dev=sdb");

  const auto path = dir.path() / "x.prom";
  auto writer = make_open_metrics_writer({path, Layout::kWide, &channels});
  ASSERT_TRUE(writer) << writer.error().message();
  model::RunFacts facts;
  facts.host = "h";
  ASSERT_TRUE((*writer)->begin(facts));
  model::Frame frame;
  frame.wall_ns = 1'700'000'000'100'999'999;
  frame.resize(3);
  frame.set_u64(ChannelId(0), 18446744073709551615u);
  frame.set_u64(ChannelId(1), 3588095);
  ASSERT_TRUE((*writer)->write(channels, frame));
  frame.wall_ns += 1'000'000'000;
  frame.validity[0] = Validity::kStale;
  frame.set_u64(ChannelId(2), 7);
  ASSERT_TRUE((*writer)->write(channels, frame));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(test_frames::read_file(path), R"(# TYPE storage_reads counter
# HELP storage_reads Reads.
storage_reads_total{host="h",dev="sda"} 18446744073709551615 1700000000.100
storage_reads_total{host="h",dev="sdb"} 7 1700000001.100
# TYPE cpu_wait_seconds gauge
# UNIT cpu_wait_seconds seconds
cpu_wait_seconds{host="h"} 35880.95 1700000000.100
cpu_wait_seconds{host="h"} 35880.95 1700000001.100
# EOF
)");
}

// Prometheus' sum() over a metric would count what its parts have already.
TEST(OpenMetrics, ATotalBesideItsPartsIsLeftOut) {
  const test_frames::TempDir dir;
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "m";
  const auto id = channels.add_metric(metric);
  channels.add_channel(id);
  channels.add_channel(id, "cpu=0");
  const auto path = dir.path() / "x.prom";
  auto writer = make_open_metrics_writer({path, Layout::kWide, &channels});
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->begin({}));
  model::Frame frame;
  frame.resize(2);
  frame.set_u64(ChannelId(0), 5);
  frame.set_u64(ChannelId(1), 5);
  ASSERT_TRUE((*writer)->write(channels, frame));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(test_frames::read_file(path),
            "# TYPE m gauge\nm{host=\"\",cpu=\"0\"} 5 0.000\n# EOF\n");
}

// More than a spool keeps in memory comes out in the same order.
TEST(OpenMetrics, SpoolsLongRuns) {
  const test_frames::TempDir dir;
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "m";
  const auto id = channels.add_metric(metric);
  channels.add_channel(id, "cpu=0");
  channels.add_channel(id, "cpu=1");
  const auto path = dir.path() / "x.prom";
  auto writer = make_open_metrics_writer({path, Layout::kWide, &channels});
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->begin({}));
  std::string expected[2];
  model::Frame frame;
  frame.resize(2);
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    frame.wall_ns = static_cast<std::int64_t>(i) * 1'000'000'000;
    for (std::size_t c = 0; c < 2; ++c) {
      frame.set_u64(ChannelId(c), i);
      expected[c] += "m{host=\"\",cpu=\"" + std::to_string(c) + "\"} " + std::to_string(i) + " " +
                     std::to_string(i) + ".000\n";
    }
    ASSERT_TRUE((*writer)->write(channels, frame));
  }
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(test_frames::read_file(path),
            "# TYPE m gauge\n" + expected[0] + expected[1] + "# EOF\n");
}

}  // namespace
}  // namespace reveal::exchange
