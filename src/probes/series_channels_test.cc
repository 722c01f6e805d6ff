#include "probes/series_channels.h"

#include <gmock/gmock.h>

#include "probes/testing/reading.h"

namespace reveal::probes {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

// Sets series of step_seconds at a time that the test says.
class Channels {
 public:
  void read(seconds at, const std::vector<std::string>& instances) {
    collect::FrameWriter writer(table_, frame_, "test");
    frame_.validity.assign(frame_.validity.size(), model::Validity::kMissing);
    channels_.begin(Clock::time_point(at));
    const auto* metric = channels_.metric("step_seconds");
    ASSERT_NE(metric, nullptr);
    double value = 0;
    for (const auto& instance : instances) {
      channels_.set(writer, *metric, instance, ++value, model::Validity::kFresh);
    }
    channels_.end(writer);
  }
  bool has(const std::string& instance) const {
    return table_.find_channel("step_seconds{" + instance + "}").has_value();
  }
  double value(const std::string& instance) const {
    const auto id = table_.find_channel("step_seconds{" + instance + "}");
    return std::bit_cast<double>(frame_.bits[id->index()]);
  }
  std::size_t numbers() const { return table_.channel_count(); }
  std::string said() const { return frame_.notes.empty() ? "" : frame_.notes.back().text; }

 private:
  model::ChannelTable table_;
  model::Frame frame_;
  SeriesChannels channels_{declared(), "test"};
};

TEST(SeriesChannels, OfSeriesThatAreGoneAreGivenBack) {
  Channels channels;
  channels.read(seconds(0), {"rank=0", "rank=1"});
  for (int at = 10; at < 290; at += 10) channels.read(seconds(at), {"rank=0"});
  EXPECT_TRUE(channels.has("rank=1"));
  for (int at = 290; at <= 310; at += 10) channels.read(seconds(at), {"rank=0"});
  EXPECT_FALSE(channels.has("rank=1"));
  EXPECT_TRUE(channels.has("rank=0"));
  channels.read(seconds(320), {"rank=0", "rank=2"});
  EXPECT_TRUE(channels.has("rank=2"));
  EXPECT_EQ(channels.numbers(), 2u) << "the number is used again";
}

TEST(SeriesChannels, AreBoundedWhateverComes) {
  Channels channels;
  std::vector<std::string> many;
  for (std::size_t i = 0; i < SeriesChannels::kMost + 5; ++i) {
    many.push_back("i=" + std::to_string(i));
  }
  channels.read(seconds(0), many);
  EXPECT_EQ(channels.numbers(), SeriesChannels::kMost);
  EXPECT_THAT(channels.said(), HasSubstr("2000 are recorded"));
}

TEST(SeriesChannels, ASeriesThatComesTwiceHasItsFirstValue) {
  Channels channels;
  channels.read(seconds(0), {"rank=0", "rank=0"});
  EXPECT_EQ(channels.value("rank=0"), 1.0);
  EXPECT_THAT(channels.said(), HasSubstr("step_seconds{rank=0}; the first value counts"));
}

TEST(SeriesChannels, AMetricIsOfTheProbeThatHasItFirst) {
  const auto metrics = declared();
  SeriesChannels one(metrics, "one");
  SeriesChannels two(metrics, "two");
  EXPECT_NE(one.metric("step_seconds"), nullptr);
  EXPECT_EQ(two.metric("step_seconds"), nullptr);
  EXPECT_NE(one.metric("step_seconds"), nullptr);
  EXPECT_NE(two.metric("steps_total"), nullptr);
  EXPECT_EQ(one.metric("nobody_knows_it"), nullptr);
}

}  // namespace
}  // namespace reveal::probes
