// A judge that starts again on the recording of a synthetic host that goes on.
#include "agent/host_watch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/temp_dir.h"
#include "live/testing/feed.h"
#include "pipeline/testing/synthetic_host.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// A recorder, and the judges that follow it one after the other.
class HostWatchTest : public ::testing::Test {
 protected:
  HostWatchTest() {
    host_.tell_what_waits(true);
    host_.stay();
    std::filesystem::create_directories(paths_.state());
    auto writer = store::SegmentWriter::create(paths_.recording());
    EXPECT_TRUE(writer);
    writer_.emplace(std::move(*writer));
    EXPECT_TRUE(writer_->begin(host_.facts));
  }

  void record(int seconds, bool burst = false) { live::feed(*writer_, host_, seconds, burst); }

  HostWatch start(int second, std::size_t many_channels = kManyChannels) {
    const auto now_ns = begin_ns_ + second * kSecond_ns;
    const auto ends = [] { return false; };
    return {paths_, {}, pipeline::SyntheticHost::kInterval_ns, now_ns, ends, many_channels};
  }

  // Returns how many windows from that second on are judged.
  std::size_t judged_from(const HostWatch& watch, int second) const {
    const auto& windows = watch.history().windows;
    return static_cast<std::size_t>(std::ranges::count_if(windows, [&](const auto& one) {
      return one.judged && one.span.begin_ns >= begin_ns_ + second * kSecond_ns - kSecond_ns / 2;
    }));
  }

  // Returns where the first finding begins that it finds itself. REQUIRES: there is one.
  double first_begin_s(const HostWatch& watch) const {
    return static_cast<double>(watch.history().findings.front().begin_ns() - begin_ns_) / 1e9;
  }

  std::int64_t learned_s(const HostWatch& watch) const {
    return (watch.history().learned_ns - begin_ns_ + kSecond_ns / 2) / kSecond_ns;
  }

  const std::int64_t begin_ns_ = 1'700'000'000 * kSecond_ns;  // of a synthetic host
  base::TempDir dir_;
  Paths paths_{dir_.path()};
  pipeline::SyntheticHost host_;
  std::optional<store::SegmentWriter> writer_;
};

TEST_F(HostWatchTest, LearnsTheMinutesBeforeWhatItJudges) {
  record(900);
  {
    auto before = start(900);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
  }
  record(20);
  auto watch = start(920);
  ASSERT_TRUE(watch.refresh());
  EXPECT_EQ(learned_s(watch), 840) << "a minute before the judge before had come to its end";
  const auto& windows = watch.history().windows;
  EXPECT_NEAR(static_cast<double>(windows.front().span.begin_ns - begin_ns_) / 1e9, 240, 1.1)
      << "ten minutes before that";
  EXPECT_EQ(judged_from(watch, 240), windows.size());
  EXPECT_NEAR(static_cast<double>(windows.back().span.end_ns - begin_ns_) / 1e9, 920, 1.1);
  EXPECT_THAT(watch.log().recent(), IsEmpty());
}

TEST_F(HostWatchTest, GoesOnWithAFindingThatBeganLongBefore) {
  record(300);
  record(10, true);
  std::string id;
  {
    auto before = start(310);
    ASSERT_TRUE(before.refresh());
    ASSERT_THAT(before.log().recent(), SizeIs(1));
    id = before.log().recent().front().id;
    record(150, true);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
  }
  record(5, true);
  auto watch = start(465);
  ASSERT_TRUE(watch.refresh());
  ASSERT_THAT(watch.log().recent(), SizeIs(1));
  EXPECT_EQ(watch.log().recent().front().id, id);
  EXPECT_TRUE(watch.log().recent().front().open);
  EXPECT_LE(learned_s(watch), 240);
  record(60);
  ASSERT_TRUE(watch.refresh());
  ASSERT_THAT(watch.log().recent(), SizeIs(1)) << "it is one finding from its begin to its end";
  const auto& told = watch.log().recent().front();
  EXPECT_FALSE(told.open);
  EXPECT_NEAR(static_cast<double>(told.begin_ns - begin_ns_) / 1e9, 300, 1.5);
  EXPECT_NEAR(static_cast<double>(told.end_ns - begin_ns_) / 1e9, 465, 3.5);
}

// The judge was killed, and for two minutes nobody judged.
TEST_F(HostWatchTest, FindsWhatCameWhileThereWasNoJudge) {
  record(300);
  {
    auto before = start(300);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
  }
  record(40);
  record(5, true);
  record(75);
  auto watch = start(420);
  ASSERT_TRUE(watch.refresh());
  ASSERT_THAT(watch.log().recent(), SizeIs(1));
  EXPECT_NEAR(static_cast<double>(watch.log().recent().front().begin_ns - begin_ns_) / 1e9, 340,
              1.5);
}

// A restart in the minutes after a finding changes nothing that was told.
TEST_F(HostWatchTest, LeavesAFindingAloneOfWhichAllWasTold) {
  record(300);
  record(5, true);
  record(100);
  std::string told;
  {
    auto before = start(405);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
    ASSERT_THAT(before.log().recent(), SizeIs(1));
    told = to_json(before.log().recent().front());
  }
  record(10);
  auto watch = start(415);
  const auto changed = watch.refresh();
  ASSERT_TRUE(changed);
  EXPECT_THAT(*changed, IsEmpty());
  EXPECT_THAT(watch.history().findings, IsEmpty());
  ASSERT_THAT(watch.log().recent(), SizeIs(1));
  EXPECT_EQ(to_json(watch.log().recent().front()), told);
}

// All of it was told, and still it ended within the minute that is judged once more.
TEST_F(HostWatchTest, LeavesAFindingAloneThatEndedWithinTheMinuteThatIsJudgedOnceMore) {
  record(300);
  record(40, true);
  record(42);
  std::string told;
  {
    auto before = start(382);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
    ASSERT_THAT(before.log().recent(), SizeIs(1));
    told = to_json(before.log().recent().front());
  }
  record(10);
  auto watch = start(392);
  const auto changed = watch.refresh();
  ASSERT_TRUE(changed);
  EXPECT_THAT(*changed, IsEmpty());
  ASSERT_THAT(watch.history().findings, SizeIs(1));
  EXPECT_NEAR(first_begin_s(watch), 300, 1.5) << "it is seen whole";
  ASSERT_THAT(watch.log().recent(), SizeIs(1));
  EXPECT_EQ(to_json(watch.log().recent().front()), told);
}

// A minute before the begin of a finding that goes on, another one was going on.
TEST_F(HostWatchTest, LeavesAFindingAloneThatEndedShortlyBeforeTheOneItGoesOnWith) {
  record(300);
  record(40, true);
  record(45);
  record(10, true);
  LoggedFinding told;
  std::string id;
  {
    auto before = start(395);
    ASSERT_TRUE(before.refresh());
    ASSERT_TRUE(before.save());
    ASSERT_THAT(before.log().recent(), SizeIs(2));
    told = before.log().recent().front();
    id = before.log().recent().back().id;
    ASSERT_FALSE(told.open);
    ASSERT_TRUE(before.log().recent().back().open);
  }
  record(5, true);
  record(60);
  auto watch = start(460);
  const auto changed = watch.refresh();
  ASSERT_TRUE(changed);
  EXPECT_THAT(*changed, ElementsAre(id));
  ASSERT_THAT(watch.history().findings, SizeIs(2));
  EXPECT_NEAR(first_begin_s(watch), 300, 1.5) << "it is seen whole";
  ASSERT_THAT(watch.log().recent(), SizeIs(2));
  EXPECT_EQ(to_json(*watch.log().find(told.id)), to_json(told));
  const auto* second = watch.log().find(id);
  ASSERT_NE(second, nullptr);
  EXPECT_FALSE(second->open);
  EXPECT_NEAR(static_cast<double>(second->begin_ns - begin_ns_) / 1e9, 385, 1.5);
}

// Adds control groups to a host's frames, which have all gone when others come: then the recording
// numbers channels anew.
class WithGroups final : public model::FrameSink {
 public:
  explicit WithGroups(store::SegmentWriter& writer) : writer_(writer) {}

  void others_come() {
    first_ += kGroups;
    channels_ = {};
    ASSERT_TRUE(writer_.number_anew());
  }

  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable& channels,
                           const model::Frame& frame) override {
    if (channels_.channel_count() == 0) number(channels);
    model::Frame out = frame;
    out.resize(channels_.channel_count());
    for (std::size_t i = frame.bits.size(); i < out.bits.size(); ++i) {
      out.set_u64(model::ChannelId(i), 4096);
    }
    return writer_.write(channels_, out);
  }
  base::Result<void> finish() override { return {}; }

  static constexpr std::size_t kGroups = 20;

 private:
  void number(const model::ChannelTable& channels) {
    channels_ = channels.clone();
    model::MetricDescriptor metric;
    metric.name = "memory_cgroup_bytes";
    metric.unit = "bytes";
    metric.scope = model::Scope::kCgroup;
    const auto id = channels_.add_metric(metric);
    for (std::size_t i = 0; i < kGroups; ++i) {
      channels_.add_channel(id, fmt::format("cg=/{}", first_ + i));
    }
  }

  store::SegmentWriter& writer_;
  model::ChannelTable channels_;
  std::size_t first_ = 0;
};

// A thousand groups come and go within two minutes; ten minutes later they are nowhere any more.
TEST_F(HostWatchTest, AnotherJudgeGoesOnWithoutTheChannelsThatAreGone) {
  constexpr std::size_t kFew = 100;
  WithGroups host(*writer_);
  live::feed(host, host_, 2);
  {
    auto before = start(2, kFew);
    ASSERT_TRUE(before.refresh());
    ASSERT_FALSE(before.has_outgrown());
    for (int i = 0; i < 50; ++i) {
      host.others_come();
      live::feed(host, host_, 2);
      ASSERT_TRUE(before.refresh());
    }
    EXPECT_TRUE(before.has_outgrown());
    ASSERT_TRUE(before.save());
  }
  live::feed(host, host_, 748);
  live::feed(host, host_, 10, true);
  std::string id;
  {
    auto before = start(860, kFew);
    ASSERT_TRUE(before.refresh());
    EXPECT_FALSE(before.has_outgrown()) << "it begins with all of these";
    EXPECT_GT(before.history().channels->channel_count(), 50 * WithGroups::kGroups);
    ASSERT_THAT(before.log().recent(), SizeIs(1));
    id = before.log().recent().front().id;
    ASSERT_TRUE(before.log().recent().front().open);
    ASSERT_TRUE(before.save());
  }
  live::feed(host, host_, 5, true);
  auto watch = start(865, kFew);
  ASSERT_TRUE(watch.refresh());
  ASSERT_THAT(watch.log().recent(), SizeIs(1));
  EXPECT_EQ(watch.log().recent().front().id, id);
  EXPECT_TRUE(watch.log().recent().front().open);
  EXPECT_LT(watch.history().channels->channel_count(), 100u);
  EXPECT_FALSE(watch.has_outgrown());
}

// As after the very first start, or a damaged file.
TEST_F(HostWatchTest, JudgesAllOfThePastIfNobodyKnowsWhatWasJudged) {
  record(150);
  std::ofstream(paths_.judged()) << "yesterday\n";
  auto watch = start(150);
  ASSERT_TRUE(watch.refresh());
  EXPECT_GE(judged_from(watch, 63), 80U);
  EXPECT_EQ(judged_from(watch, 0), judged_from(watch, 58)) << "the first minute is learned from";
}

}  // namespace
}  // namespace reveal::agent
