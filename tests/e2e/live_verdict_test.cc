// The lab's recordings, tick by tick through the live judge: what it says of a fault is what the
// analysis of the whole recording says. The limits of that are these:
//
//   - The first minute is only learned from, so a fault is compared if the analysis has it begin
//     after the live judge knew what is usual.
//   - Live, a finding begins and ends with other windows: it need only overlap. If it begins more
//     than a window earlier, something else was flagged before, and may have the larger share.
//   - The work that was lost is the same within a second and a fifth, since live it is
//     compared with what was usual until then.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "live/live_judge.h"
#include "pipeline/pipeline.h"
#include "store/segment_reader.h"

namespace reveal {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kWindow_ns = 3 * kSecond_ns;
constexpr double kLost_s = 1;
constexpr double kLostShare = 0.2;

// One recording, judged both ways.
struct Judged {
  explicit Judged(const std::string& name) {
    const auto dir = std::filesystem::path(REVEAL_SOURCE_DIR) / "tests/recordings" / name / "host0";
    auto reader = store::SegmentReader::open(dir);
    EXPECT_TRUE(reader) << name;
    EXPECT_TRUE(judge.begin(reader->facts()));
    EXPECT_TRUE(pipeline.begin(reader->facts()));
    for (;;) {
      const auto frame = reader->next();
      EXPECT_TRUE(frame);
      if (*frame == nullptr) break;
      EXPECT_TRUE(judge.write(reader->channels(), **frame));
      EXPECT_TRUE(pipeline.write(reader->channels(), **frame));
    }
    batch = pipeline.analyze().value();
    for (const auto& window : judge.history().windows) {
      if (window.judged) break;
      judged_from_ns = window.span.end_ns;
    }
  }

  const attribute::Finding* live_of(const attribute::Finding& finding) const {
    const attribute::Finding* out = nullptr;
    for (const auto& one : judge.history().findings) {
      const bool overlaps = one.windows_begin_ns() < finding.windows_end_ns() &&
                            one.windows_end_ns() > finding.windows_begin_ns();
      if (overlaps && (out == nullptr || one.severity.seconds > out->severity.seconds)) out = &one;
    }
    return out;
  }

  live::LiveJudge judge{pipeline::PipelineConfig{}};
  pipeline::Pipeline pipeline{pipeline::PipelineConfig{}};
  report::Report batch;
  std::int64_t judged_from_ns = 0;
};

std::string name_of(const model::ChannelTable& channels,
                    const std::optional<attribute::GroupLevel>& level) {
  return std::string(level ? channels.channel(level->channel).instance : "-");
}

std::string said(const Judged& run, const attribute::Finding& finding) {
  const auto& channels = *run.batch.channel_table;
  std::string out = testing::PrintToString(finding.begin_ns() / kSecond_ns % 10'000) + "-" +
                    testing::PrintToString(finding.end_ns() / kSecond_ns % 10'000) + " " +
                    std::string(model::to_string(finding.subsystem())) + " " +
                    name_of(channels, finding.culprit) + " " + name_of(channels, finding.sufferer) +
                    " " + testing::PrintToString(finding.severity.seconds) + " s by " +
                    std::string(attribute::to_string(finding.severity.basis));
  if (finding.harm) out += ", rate " + testing::PrintToString(finding.harm->loss.mean_rate);
  return out + ": " + finding.claim;
}

class LiveVerdict : public testing::TestWithParam<const char*> {};

TEST_P(LiveVerdict, IsThatOfTheRecording) {
  const Judged run(GetParam());
  ASSERT_GT(run.judge.history().windows.size(), 90U);
  for (const auto& one : run.judge.history().findings) {
    std::printf("live  %s\n", said(run, one).c_str());
  }
  for (const auto& batch : run.batch.findings) {
    std::printf("batch %s\n", said(run, batch).c_str());
    if (batch.begin_ns() < run.judged_from_ns) continue;
    const auto* live = run.live_of(batch);
    ASSERT_NE(live, nullptr) << said(run, batch);
    SCOPED_TRACE(said(run, batch) + "\nlive: " + said(run, *live));
    const bool begins_earlier = live->windows_begin_ns() < batch.windows_begin_ns() - kWindow_ns;
    EXPECT_TRUE(begins_earlier || live->subsystem() == batch.subsystem());
    EXPECT_EQ(name_of(*run.batch.channel_table, live->culprit),
              name_of(*run.batch.channel_table, batch.culprit));
    EXPECT_EQ(live->harm.has_value(), batch.harm.has_value());
    if (!live->harm || !batch.harm) continue;
    EXPECT_EQ(live->harm->slow, batch.harm->slow);
    const double lost_s = batch.harm->loss.lost_s;
    EXPECT_NEAR(live->harm->loss.lost_s, lost_s, kLost_s + kLostShare * std::abs(lost_s));
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, LiveVerdict,
                         testing::Values("memory", "memory_weak", "network", "network_weak",
                                         "pause", "processor", "processor_weak", "starts", "steady",
                                         "stops", "storage", "storage_weak"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace reveal
