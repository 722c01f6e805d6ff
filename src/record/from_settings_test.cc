#include "record/from_settings.h"

#include <gtest/gtest.h>

namespace reveal::record {
namespace {

TEST(RecordingFromSettings, HasWhatWasSet) {
  settings::Settings all;
  all.record.interval_ns = 200'000'000;
  all.record.duration_ns = 5'000'000'000;
  all.record.min_free = {settings::FreeSpace::Kind::kBytes, 3u << 20};
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

TEST(RecordingFromSettings, HasMetricsOfTheUsersOwn) {
  settings::Settings all;
  all.probes.textfile = "/var/lib/metrics";
  all.probes.statsd = "127.0.0.1:8125";
  all.probes.metrics = {{"steps", "counter", "steps", "gpu", "Training steps", 2.0}};
  all.probes.commands = {{{"/bin/power", "--all"}, 30'000'000'000, 5'000'000'000}};
  const auto out = recording_options(all, {}, "dir", {"true"});
  ASSERT_TRUE(out);
  EXPECT_EQ(out->probes.textfile, "/var/lib/metrics");
  EXPECT_EQ(out->probes.statsd, "127.0.0.1:8125");
  ASSERT_EQ(out->probes.metrics.size(), 1u);
  const auto& metric = out->probes.metrics.front();
  EXPECT_EQ(metric.name, "steps");
  EXPECT_EQ(metric.label, "Training steps");
  EXPECT_EQ(metric.unit, "steps");
  EXPECT_EQ(metric.kind, model::Kind::kCounter);
  EXPECT_EQ(metric.subsystem, model::Subsystem::kGpu);
  EXPECT_EQ(metric.scale, 2.0);
  ASSERT_EQ(out->probes.commands.size(), 1u);
  const auto& command = out->probes.commands.front();
  EXPECT_EQ(command.words, (std::vector<std::string>{"/bin/power", "--all"}));
  EXPECT_EQ(command.every, std::chrono::seconds(30));
  EXPECT_EQ(command.timeout, std::chrono::seconds(5));
}

TEST(RecordingFromSettings, APlanThatIsNotThereIsAnError) {
  settings::Settings all;
  all.record.plan = "/nonexistent/selection.json";
  EXPECT_FALSE(recording_options(all, {}, "dir", {}));
}

}  // namespace
}  // namespace reveal::record
