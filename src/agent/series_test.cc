#include "agent/series.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/temp_dir.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_s = 1'700'000'000;

model::MetricDescriptor metric(const char* name, model::Kind kind, const char* unit) {
  model::MetricDescriptor out;
  out.name = name;
  out.kind = kind;
  out.unit = unit;
  return out;
}

// A recording of 60 s at 10 Hz: a gauge that is the number of its tick, and a counter that grows by
// 5 a tick, as one of each of two disks.
class SeriesTest : public testing::Test {
 protected:
  void SetUp() override {
    model::ChannelTable channels;
    const auto level = channels.add_channel(
        channels.add_metric(metric("memory_level_bytes", model::Kind::kGauge, "bytes")));
    const auto disks =
        channels.add_metric(metric("storage_read_sectors_total", model::Kind::kCounter, "sectors"));
    const auto first = channels.add_channel(disks, "dev=sda");
    const auto second = channels.add_channel(disks, "dev=sdb");
    auto writer = store::SegmentWriter::create(dir_.path() / "r");
    ASSERT_TRUE(writer);
    model::RunFacts facts;
    facts.interval_ns = kSecond_ns / 10;
    ASSERT_TRUE(writer->begin(facts));
    model::Frame frame;
    frame.resize(3);
    for (std::uint64_t tick = 0; tick < 600; ++tick) {
      frame.sequence = tick;
      frame.wall_ns = kBegin_s * kSecond_ns + static_cast<std::int64_t>(tick) * kSecond_ns / 10;
      frame.mono_ns = 1000 * kSecond_ns + static_cast<std::int64_t>(tick) * kSecond_ns / 10;
      frame.set_u64(level, tick);
      frame.set_u64(first, 5 * tick);
      frame.set_u64(second, 0);
      ASSERT_TRUE(writer->write(channels, frame));
    }
    ASSERT_TRUE(writer->finish());
  }

  base::Result<std::string> ask(std::vector<std::string> channels, std::int64_t from_s,
                                std::int64_t to_s, std::size_t points) const {
    return series_json(dir_.path() / "r", {.channels = std::move(channels),
                                           .from_ns = (kBegin_s + from_s) * kSecond_ns,
                                           .to_ns = (kBegin_s + to_s) * kSecond_ns,
                                           .points = points});
  }

  base::TempDir dir_;
};

TEST_F(SeriesTest, ABucketHasItsLowestHighestAndMeanSample) {
  const auto text = ask({"memory_level_bytes"}, 10, 20, 5);
  ASSERT_TRUE(text) << text.error().message();
  const auto json = Json::parse(*text);
  EXPECT_EQ(json.at("from"), kBegin_s + 10);
  EXPECT_EQ(json.at("step"), 2);
  const auto& one = json.at("channels").at(0);
  EXPECT_EQ(one.at("unit"), "bytes");
  EXPECT_EQ(one.at("low"), (Json{100, 120, 140, 160, 180}));
  EXPECT_EQ(one.at("high"), (Json{119, 139, 159, 179, 199}));
  EXPECT_EQ(one.at("mean"), (Json{109.5, 129.5, 149.5, 169.5, 189.5}));
}

TEST_F(SeriesTest, ACounterIsItsRateFromTheFirstBucketOn) {
  const auto json = Json::parse(
      ask({"storage_read_sectors_total{dev=sda}", "memory_level_bytes"}, 30, 32, 2).value());
  const auto& one = json.at("channels").at(0);
  EXPECT_EQ(one.at("unit"), "sectors/s");
  EXPECT_NEAR(one.at("low").at(0), 50, 1e-6);
  EXPECT_NEAR(one.at("high").at(1), 50, 1e-6);
  EXPECT_EQ(json.at("channels").at(1).at("name"), "memory_level_bytes");
}

TEST_F(SeriesTest, WhereNothingWasRecordedThereIsNothing) {
  const auto json = Json::parse(ask({"memory_level_bytes"}, 58, 62, 4).value());
  EXPECT_EQ(json.at("channels").at(0).at("mean"), (Json{584.5, 594.5, nullptr, nullptr}));
}

TEST_F(SeriesTest, ChannelsThatTheRecordingDoesNotHaveAreNamed) {
  const auto none = ask({"storage_read_sectors_total{dev=sdz}"}, 0, 10, 5);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, base::ErrorKind::kUsage);
  EXPECT_NE(none.error().message().find("{dev=sdz}"), std::string::npos);
}

}  // namespace
}  // namespace reveal::agent
