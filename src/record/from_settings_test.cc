#include "record/from_settings.h"

#include <gtest/gtest.h>

namespace reveal::record {
namespace {

TEST(RecordingFromSettings, HasWhatWasSet) {
  settings::Settings all;
  all.record.interval_ns = 200'000'000;
  all.record.duration_ns = 5'000'000'000;
  all.record.min_free_mib = 3;
  all.record.keep_ns = 60'000'000'000;
  all.record.max_bytes = 1 << 20;
  all.collect.quick_ns = 200'000'000;
  all.collect.slow_ns = 20'000'000'000;
  all.collect.poll_classes = {{"edac", "off"}};
  const auto out = recording_options(all, {}, "dir", {"true"});
  ASSERT_TRUE(out);
  EXPECT_EQ(out->interval_ns, 200'000'000);
  EXPECT_EQ(out->duration_ns, 5'000'000'000);
  EXPECT_EQ(out->storage.min_free_bytes, 3u << 20);
  EXPECT_EQ(out->storage.retention.keep_ns, 60'000'000'000);
  EXPECT_EQ(out->storage.retention.max_bytes, 1u << 20);
  EXPECT_EQ(out->poll_plan.quick, std::chrono::milliseconds(200));
  EXPECT_EQ(out->poll_plan.slow, std::chrono::seconds(20));
  EXPECT_EQ(out->poll_plan.choices.at("edac"), collect::PollChoice::kOff);
  EXPECT_FALSE(out->selection);
  EXPECT_FALSE(out->poll_plan.choices.contains("process"));
}

TEST(RecordingFromSettings, ProcessesAreTurnedOff) {
  settings::Settings all;
  all.record.processes = false;
  const auto out = recording_options(all, {}, "dir", {"true"});
  ASSERT_TRUE(out);
  EXPECT_EQ(out->poll_plan.choices.at("process"), collect::PollChoice::kOff);
}

TEST(RecordingFromSettings, APlanThatIsNotThereIsAnError) {
  settings::Settings all;
  all.record.plan = "/nonexistent/selection.json";
  EXPECT_FALSE(recording_options(all, {}, "dir", {}));
}

}  // namespace
}  // namespace reveal::record
