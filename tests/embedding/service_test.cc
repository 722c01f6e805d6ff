// What a service needs of Reveal, through the headers of its modules alone: one after the other
// here, as it would all along.
#include <cstdint>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "record/recording.h"
#include "replay/replayed.h"
#include "retention/downsampling.h"
#include "store/segment_reader.h"

namespace reveal {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTick_ns = 10'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

pipeline::PipelineConfig short_windows() {
  pipeline::PipelineConfig out;
  out.windows.length = window::Length{10, window::Length::Unit::kTicks};
  out.windows.stride = window::Length{5, window::Length::Unit::kTicks};
  return out;
}

// Records this host for some seconds, judged meanwhile.
void record(const fs::path& directory, live::LiveJudge& judge) {
  record::RecordingOptions options;
  options.directory = directory;
  options.interval_ns = kTick_ns;
  options.duration_ns = 6 * kSecond;
  auto recording = record::Recording::prepare(options, &judge);
  ASSERT_TRUE(recording) << recording.error().message();
  ASSERT_TRUE(recording->start());
  std::uint64_t told = 0;
  recording->run([&](const record::Recording::State& state) { told = state.frames; });
  EXPECT_GT(told, 100u);
  EXPECT_TRUE(recording->losses().empty()) << recording->losses().front();
}

TEST(Service, RecordsJudgesReplaysAndDownsamples) {
  const auto folder = base::TempDir::make("reveal_embedding_");
  ASSERT_TRUE(folder);
  const fs::path directory = folder->path() / "recording";
  live::LiveJudge judge(short_windows());
  record(directory, judge);
  const auto& history = judge.history();
  ASSERT_GT(history.windows.size(), live::kFirstFit);
  EXPECT_TRUE(history.windows.back().judged) << history.trouble;

  // What was recorded is what was judged.
  const auto replayed = replay::replay(directory, short_windows());
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_TRUE(replayed->damage.empty());
  const auto report = replayed->pipeline->analyze();
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->windows.size(), history.windows.size());
  EXPECT_EQ(report->windows.back().end_ns, history.windows.back().span.end_ns);

  // An hour later all of it is old.
  const auto moved =
      retention::downsample({.directory = directory,
                             .ages = {kSecond, 86'400 * kSecond, 90 * 86'400 * kSecond},
                             .now_ns = history.end_ns + 3'600 * kSecond,
                             .evidence = {}});
  ASSERT_TRUE(moved) << moved.error().message();
  ASSERT_FALSE(moved->steps.empty());
  auto seconds = store::SegmentReader::open(directory / "1s");
  ASSERT_TRUE(seconds) << seconds.error().message();
  const auto first = seconds->next();
  ASSERT_TRUE(first && *first != nullptr);
  EXPECT_GT((*first)->bits.size(), history.channels->channel_count() / 2);
}

}  // namespace
}  // namespace reveal
