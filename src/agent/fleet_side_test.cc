// The agent's side to a fleet, without a broker; with one: tests/e2e/fleet_test.py.
#include "agent/fleet_side.h"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "fleet/host_levels.h"
#include "fleet/job_table.h"
#include "procfs/cgroup_identity.h"
#include "store/segment_reader.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

live::JudgedWindow window(std::int64_t end_s, int votes, bool judged = true) {
  live::JudgedWindow out;
  out.span.end_ns = end_s * kSecond_ns;
  out.judged = judged;
  out.agreement = votes;
  out.strength = votes;
  return out;
}

TEST(FleetSide, ASecondHasTheVerdictOfTheWindowThatEndsWithIt) {
  live::History history;
  history.windows = {window(10, 1, false), window(11, 2), window(12, 3)};
  EXPECT_EQ(verdict_by(history, 11 * kSecond_ns).value().votes, 2);
  EXPECT_EQ(verdict_by(history, 12 * kSecond_ns - kSecond_ns / 20).value().votes, 3)
      << "a moment before its end";
  EXPECT_EQ(verdict_by(history, 14 * kSecond_ns).value().strength, 3);
  EXPECT_FALSE(verdict_by(history, 10 * kSecond_ns)) << "it was not judged";
  EXPECT_FALSE(verdict_by(history, 9 * kSecond_ns)) << "there is none";
  EXPECT_FALSE(verdict_by(history, 18 * kSecond_ns)) << "that was long ago";
  EXPECT_FALSE(verdict_by({}, kSecond_ns));
}

TEST(FleetSide, TellsNobodyUnlessABrokerIsNamed) {
  const base::TempDir dir;
  FleetSide side({}, {dir.path()}, 0);
  EXPECT_EQ(side.sink(), nullptr);
  EXPECT_FALSE(side.state());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "state")) << "it makes no id";
}

TEST(FleetSide, WithoutAnIdSaysWhyAndTellsNobody) {
  const base::TempDir dir;
  const Paths paths{dir.path()};
  std::filesystem::create_directories(paths.state());
  ASSERT_TRUE(base::write_new_file(paths.identity(), "nobody\n"));
  settings::FleetSettings settings;
  settings.servers = {"nats://127.0.0.1:1"};
  FleetSide side(settings, paths, 0);
  EXPECT_EQ(side.sink(), nullptr);
  ASSERT_TRUE(side.state());
  EXPECT_THAT(side.state()->trouble, HasSubstr("does not hold the id of a host"));
}

TEST(FleetSide, TakesTurns) {
  const base::TempDir dir;
  const FleetSide side({}, {dir.path()}, 0);
  constexpr std::int64_t kApart_ns = kSecond_ns / 2;
  const auto first = side.until_turn_ns(0, kApart_ns);
  EXPECT_GT(first, 0);
  EXPECT_LE(first, kApart_ns);
  EXPECT_EQ(side.until_turn_ns(first, kApart_ns), kApart_ns) << "it is its turn now";
  EXPECT_EQ(side.until_turn_ns(first + 1, kApart_ns), kApart_ns - 1);
  EXPECT_EQ(side.until_turn_ns(first - 1, kApart_ns), 1);
}

// The texts are those that the recorder makes of paths.
TEST(FleetSide, JobsAreReadOffTheTextsOfTheRecorder) {
  const auto job_of = [](std::string_view path) {
    return fleet::job_in(procfs::describe(procfs::identify_cgroup(path)));
  };
  EXPECT_EQ(job_of("/slurm/uid_1000/job_4711/step_0"), "slurm/4711");
  EXPECT_EQ(job_of("/system.slice/slurmstepd.scope/job_4711"), "slurm/4711");
  EXPECT_EQ(job_of("/system.slice/slurmstepd.scope/s5K1KKYAYG5D00/step_batch"),
            "slurm/s5K1KKYAYG5D00");
  EXPECT_EQ(job_of("/pbs_jobs.service/jobid/12.head"), "pbs/12.head");
  for (const auto* path : {"/system.slice/cron.service", "/system.slice", "/made/by/hand"}) {
    EXPECT_EQ(job_of(path), "") << path;
  }
  EXPECT_EQ(job_of("/docker/" + std::string(64, 'a')), "");
  EXPECT_EQ(job_of("/kubepods.slice/kubepods-burstable.slice/"
                   "kubepods-burstable-pod8a1f2b3c_4d5e_6f70_8192_a3b4c5d6e7f8.slice/"
                   "cri-containerd-" +
                   std::string(64, 'a') + ".scope"),
            "pod/8a1f2b3c-4d5e-6f70-8192-a3b4c5d6e7f8");
}

// What a fleet is told, and what `reveal compare` reads from the recording later.
TEST(FleetSide, ARecordingHasTheSameLevelsSecondBySecondAndAsAWhole) {
  const std::filesystem::path recording = REVEAL_SOURCE_DIR "/tests/recordings/network/host0";
  const auto span = store::wall_span(recording);
  ASSERT_TRUE(span) << span.error().message();
  const auto grid = fleet::grid_between(span->begin_ns, span->end_ns, fleet::kBucket_ns);
  fleet::HostLevels whole(grid);
  fleet::LevelStream stream(grid.begin_ns);
  auto reader = store::SegmentReader::open(recording);
  ASSERT_TRUE(reader) << reader.error().message();
  for (model::FrameSink* sink :
       {static_cast<model::FrameSink*>(&whole), static_cast<model::FrameSink*>(&stream)}) {
    ASSERT_TRUE(sink->begin(reader->facts()));
  }
  for (;;) {
    const auto frame = reader->next();
    ASSERT_TRUE(frame);
    if (*frame == nullptr) break;
    ASSERT_TRUE(whole.write(reader->channels(), **frame));
    ASSERT_TRUE(stream.write(reader->channels(), **frame));
  }
  ASSERT_TRUE(whole.finish());
  const auto buckets = stream.take();
  EXPECT_THAT(buckets, SizeIs(grid.buckets));
  std::size_t compared = 0;
  for (const auto& bucket : buckets) {
    const auto second = static_cast<std::size_t>(grid.bucket_of(bucket.begin_ns));
    for (std::size_t i = 0; i < bucket.levels.size(); ++i) {
      const auto& levels = whole.series().at(i).levels;
      const float level = levels.empty() ? std::nanf("") : levels.at(second);
      ASSERT_TRUE(level == bucket.levels[i] || (std::isnan(level) && std::isnan(bucket.levels[i])))
          << whole.series()[i].quantity.key() << " in second " << second;
      if (!std::isnan(level)) ++compared;
    }
  }
  EXPECT_GT(compared, 10'000u);
}

// What a fleet is told later, of a part of the recording alone.
TEST(FleetSide, APartOfARecordingHasTheLevelsThatItHadAsItCame) {
  const std::filesystem::path recording = REVEAL_SOURCE_DIR "/tests/recordings/network/host0";
  const auto span = store::wall_span(recording);
  ASSERT_TRUE(span) << span.error().message();
  const auto grid = fleet::grid_between(span->begin_ns, span->end_ns, fleet::kBucket_ns);
  const auto read = [&](std::int64_t from_ns, std::int64_t frames_from_ns, std::int64_t to_ns) {
    fleet::LevelStream stream(from_ns);
    const auto source = opener_of(recording)(frames_from_ns, to_ns);
    EXPECT_TRUE(source);
    EXPECT_TRUE(stream.begin((*source)->facts()));
    for (;;) {
      const auto frame = (*source)->next();
      if (!frame || *frame == nullptr) break;
      EXPECT_TRUE(stream.write((*source)->channels(), **frame));
    }
    EXPECT_TRUE(stream.finish());
    std::map<std::pair<std::string, std::int64_t>, float> out;
    for (const auto& bucket : stream.take()) {
      for (std::size_t i = 0; i < bucket.levels.size(); ++i) {
        if (std::isnan(bucket.levels[i])) continue;
        out[{stream.quantities()[i].key(), bucket.begin_ns}] = bucket.levels[i];
      }
    }
    return out;
  };
  const auto whole = read(grid.begin_ns, grid.begin_ns, grid.end_ns());
  std::size_t compared = 0;
  std::size_t parts = 0;
  for (const auto second : {std::size_t{40}, std::size_t{71}, std::size_t{100}}) {
    const auto from_ns = grid.at(second);
    const auto to_ns = grid.at(second + 20);
    const auto part = read(from_ns, from_ns - fleet::kWarmUp_ns, to_ns);
    for (const auto& [at, level] : whole) {
      if (at.second < from_ns || at.second >= to_ns) continue;
      const auto found = part.find(at);
      ASSERT_NE(found, part.end()) << at.first << " in second " << second;
      EXPECT_EQ(found->second, level) << at.first;
      ++compared;
    }
    parts += part.size();
  }
  EXPECT_EQ(parts, compared) << "and no other";
  EXPECT_GT(compared, 20'000u);
}

}  // namespace
}  // namespace reveal::agent
