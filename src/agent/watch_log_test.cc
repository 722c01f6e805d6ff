// An agent's states over made-up time, and what the files then tell.
#include "agent/watch_log.h"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/temp_dir.h"

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHour_ns = 3600 * kSecond_ns;
constexpr std::int64_t kDay_ns = 24 * kHour_ns;
constexpr std::int64_t kFrom_ns = 1'795'478'400 * kSecond_ns;  // 2026-11-24T00:00:00Z

serve::AgentState state_of(serve::RunState state, const std::string& reason = "") {
  serve::AgentState out;
  out.host = "n017";
  out.state = state;
  out.reason = reason;
  return out;
}

// A log that is told something each second.
struct Watching {
  Watching(const std::filesystem::path& folder, std::int64_t at_ns)
      : now_ns(at_ns), log(folder, at_ns) {}

  void go_on(int seconds, const serve::AgentState& state = state_of(serve::RunState::kJudging)) {
    for (int i = 0; i < seconds; ++i) {
      log.take(state, now_ns);
      now_ns += kSecond_ns;
    }
  }

  std::int64_t now_ns;
  WatchLog log;
};

std::vector<digest::Watched> spans(const std::filesystem::path& folder) {
  return load_watched(folder, kFrom_ns, kFrom_ns + 3 * kDay_ns).spans;
}

TEST(WatchLog, HasAStretchForEachState) {
  const base::TempDir dir;
  Watching watching(dir.path(), kFrom_ns);
  watching.go_on(61, state_of(serve::RunState::kLearning, "5 s to go"));
  watching.go_on(100);
  watching.go_on(10, state_of(serve::RunState::kDegraded, "the disk is full"));
  watching.go_on(20);
  ASSERT_TRUE(watching.log.save());
  const auto found = spans(dir.path());
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_EQ(found[0].state, "learning");
  EXPECT_EQ(found[0].reason, "") << "it counts down";
  EXPECT_EQ(found[0].begin_ns, kFrom_ns);
  EXPECT_EQ(found[1].begin_ns, found[0].end_ns) << "no time is lost between two states";
  EXPECT_EQ(found[2].reason, "the disk is full");
  EXPECT_EQ(found[3].end_ns, kFrom_ns + 190 * kSecond_ns);
  EXPECT_EQ(load_watched(dir.path(), kFrom_ns, kFrom_ns).host, "n017");
}

TEST(WatchLog, GoesOnAfterARestartAndKnowsAPause) {
  const base::TempDir dir;
  Watching first(dir.path(), kFrom_ns);
  first.go_on(30);
  ASSERT_TRUE(first.log.save());
  Watching second(dir.path(), first.now_ns + 4 * kSecond_ns);
  second.go_on(30);
  ASSERT_TRUE(second.log.save());
  EXPECT_THAT(spans(dir.path()), SizeIs(1)) << "five seconds are a restart";
  Watching third(dir.path(), second.now_ns + 60 * kSecond_ns);
  third.go_on(30);
  ASSERT_TRUE(third.log.save());
  const auto found = spans(dir.path());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].begin_ns - found[0].end_ns, 61 * kSecond_ns);
}

TEST(WatchLog, IsAFileADayOfWhichTheLatestStay) {
  const base::TempDir dir;
  for (int day = 1; day <= 30; ++day) {
    for (const char* month : {"2026-09", "2026-10"}) {
      std::ofstream(dir.path() / fmt::format("{}-{:02}.json", month, day)) << "{}";
    }
  }
  Watching watching(dir.path(), kFrom_ns + kDay_ns - 30 * kSecond_ns);
  watching.go_on(20);
  ASSERT_TRUE(watching.log.save());
  watching.go_on(60);
  ASSERT_TRUE(watching.log.save());
  watching.go_on(60);
  ASSERT_TRUE(watching.log.save());
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "2026-11-24.json"));
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "2026-11-25.json"));
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "2026-09-23.json")) << "40 files with these two";
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "2026-09-22.json"));
  std::int64_t watched_ns = 0;
  for (const auto& one : spans(dir.path())) watched_ns += one.end_ns - one.begin_ns;
  EXPECT_EQ(watched_ns, 139 * kSecond_ns);
}

// A process that begins meanwhile has used all that it has; one that was there before has not.
TEST(WatchLog, CountsWhatTheProcessesUse) {
  const base::TempDir dir;
  Watching watching(dir.path(), kFrom_ns);
  auto state = state_of(serve::RunState::kJudging);
  state.processes = {{.name = "judge", .cpu_s = 100, .resident_bytes = 30, .start_wall_ns = 1},
                     {.name = "recorder", .cpu_s = 50, .resident_bytes = 20, .start_wall_ns = 2}};
  watching.go_on(1, state);
  state.processes[0].cpu_s = 100.5;
  state.processes[1] = {
      .name = "recorder", .cpu_s = 0.25, .resident_bytes = 40, .start_wall_ns = 9};
  watching.go_on(1, state);
  state.processes.pop_back();  // it is not known
  watching.go_on(1, state);
  ASSERT_TRUE(watching.log.save());
  const auto found = spans(dir.path());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_DOUBLE_EQ(found.front().cpu_s, 0.75);
  EXPECT_EQ(found.front().resident_bytes, 70U);
}

TEST(WatchLog, NamesTheSourcesThatAreMissing) {
  const base::TempDir dir;
  EXPECT_FALSE(load_watched(dir.path(), kFrom_ns, kFrom_ns).missing_sources);
  Watching watching(dir.path(), kFrom_ns);
  auto state = state_of(serve::RunState::kJudging);
  state.sources = {{.name = "nfs"}, {.name = "lustre"}, {.name = "meminfo", .up = true}};
  watching.go_on(1, state);
  watching.go_on(1, state);
  ASSERT_TRUE(watching.log.save());
  EXPECT_THAT(*load_watched(dir.path(), kFrom_ns, kFrom_ns).missing_sources,
              ElementsAre("nfs", "lustre"));
}

TEST(WatchLog, CountsTimeOnceIfTheClockIsSetBack) {
  const base::TempDir dir;
  Watching watching(dir.path(), kFrom_ns);
  watching.go_on(100);
  watching.now_ns -= 50 * kSecond_ns;
  watching.go_on(100);
  ASSERT_TRUE(watching.log.save());
  std::int64_t until_ns = kFrom_ns;
  for (const auto& one : spans(dir.path())) {
    EXPECT_GE(one.begin_ns, until_ns);
    until_ns = one.end_ns;
  }
  EXPECT_EQ(until_ns, kFrom_ns + 149 * kSecond_ns);
}

TEST(WatchLog, StaysSmallIfTheStateFlutters) {
  const base::TempDir dir;
  Watching watching(dir.path(), kFrom_ns);
  for (int i = 0; i < 3000; ++i) {
    watching.go_on(1);
    watching.go_on(1, state_of(serve::RunState::kDegraded, "x"));
  }
  ASSERT_TRUE(watching.log.save());
  const auto found = spans(dir.path());
  EXPECT_THAT(found, SizeIs(kMostWatchedSpans - 1)) << "the first has no length";
  EXPECT_EQ(found.back().state, "degraded");
  EXPECT_EQ(found.back().end_ns, kFrom_ns + 5999 * kSecond_ns);
}

TEST(WatchLog, KnowsSinceWhenItIsKept) {
  const base::TempDir dir;
  EXPECT_FALSE(load_watched(dir.path(), kFrom_ns, kFrom_ns).since_ns);
  EXPECT_FALSE(load_watched(dir.path() / "none", kFrom_ns, kFrom_ns).since_ns);
  for (const char* name :
       {"2026-11-23.json", "2026-11-26.json", "2026-10-01.json.part", "old.json"}) {
    std::ofstream(dir.path() / name) << "{}";
  }
  EXPECT_FALSE(load_watched(dir.path(), kFrom_ns, kFrom_ns).since_ns) << "no file has a stretch";
  for (const auto begin_ns : {kFrom_ns + kDay_ns, kFrom_ns + 18 * kHour_ns}) {
    Watching watching(dir.path(), begin_ns);
    watching.go_on(10);
    ASSERT_TRUE(watching.log.save());
  }
  // Whichever stretch is asked for.
  EXPECT_EQ(load_watched(dir.path(), kFrom_ns + kDay_ns, kFrom_ns + kDay_ns).since_ns,
            kFrom_ns + 18 * kHour_ns);
}

TEST(WatchLog, OfRubbishIsNothing) {
  const base::TempDir dir;
  for (const char* text : {"", "[", "[]", "{}", R"({"schema": "reveal.watched"})",
                           R"({"schema": "reveal.watched", "schema_version": 1, "spans": 3})"}) {
    std::ofstream(dir.path() / "2026-11-24.json") << text;
    EXPECT_THAT(spans(dir.path()), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace reveal::agent
