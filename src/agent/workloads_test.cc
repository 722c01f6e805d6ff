// Jobs that come back on a host with an agent: what its judges keep of them, and what is told.
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "agent/finding_log.h"
#include "agent/host_watch.h"
#include "agent/size_shares.h"
#include "base/temp_dir.h"
#include "live/testing/job_host.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

live::Load with_slow_disk(live::Load load) {
  load.io_wait = live::kSlowDisk;
  return load;
}

// The folder of an agent that has just begun to record a host.
struct NewAgent {
  explicit NewAgent(std::uint64_t seed) : host(seed) {
    std::filesystem::create_directories(paths.state());
    auto made = store::SegmentWriter::create(paths.recording());
    EXPECT_TRUE(made);
    writer.emplace(std::move(*made));
    EXPECT_TRUE(writer->begin(host.facts));
  }

  // Records so many seconds, and has a judge that starts then read them.
  void watch(int seconds, const live::Load& load) {
    live::feed(*writer, host, seconds, load);
    const auto now_ns = live::JobHost::wall_ns(seconds);
    const auto ends = [] { return false; };
    judge.emplace(paths, pipeline::PipelineConfig{}, live::JobHost::kInterval_ns, now_ns, ends);
    judge->remember_workloads(kMostBytes);
    EXPECT_TRUE(judge->refresh());
  }

  base::TempDir dir;
  Paths paths{dir.path()};
  live::JobHost host;
  std::optional<store::SegmentWriter> writer;
  std::optional<HostWatch> judge;
};

TEST(AgentWorkloads, AFaultFromTheFirstSecondOnIsToldWithTheRunItWasComparedWith) {
  NewAgent first(1);
  first.watch(200, live::kJob);
  EXPECT_THAT(first.judge->log().recent(), IsEmpty());
  EXPECT_THAT(first.judge->take_troubles(), IsEmpty());
  NewAgent second(2);
  std::filesystem::copy(first.paths.workloads(), second.paths.workloads());
  second.watch(25, with_slow_disk(live::kJob));
  ASSERT_THAT(second.judge->log().recent(), SizeIs(1));
  const auto& told = second.judge->log().recent().front();
  EXPECT_EQ(told.subsystem, model::Subsystem::kStorage);
  const auto fields = nlohmann::json::parse(told.fields);
  const std::string compared = "Compared: with the run of 2023-11-14 22:13:20.0 UTC";
  EXPECT_THAT(fields.at("compared_with").get<std::string>(), HasSubstr(compared));
  EXPECT_THAT(told.sentences, testing::Contains(HasSubstr(compared)));
  const auto verdict = nlohmann::json::parse(told.verdict);
  EXPECT_TRUE(verdict.at("baseline").at("earlier_run"));
  EXPECT_EQ(verdict.at("baseline").at("begin_ns"), live::JobHost::wall_ns(0));
  // The same without what was kept.
  NewAgent without(2);
  without.watch(200, with_slow_disk(live::kJob));
  EXPECT_THAT(without.judge->log().recent(), IsEmpty());
}

TEST(AgentWorkloads, OfADamagedFileALineIsInTheLog) {
  NewAgent first(1);
  first.watch(200, live::kJob);
  NewAgent second(2);
  std::filesystem::copy(first.paths.workloads(), second.paths.workloads());
  for (const auto& file : std::filesystem::directory_iterator(second.paths.workloads())) {
    std::filesystem::resize_file(file.path(), 50);
  }
  second.watch(25, live::kJob);
  EXPECT_THAT(second.judge->take_troubles(),
              testing::ElementsAre(HasSubstr("cut off"), HasSubstr("is set aside as")));
}

// A job begins slow after an idle time. It is a finding at once, by what was usual of the idle
// host, and the same finding once its earlier run tells more of it.
TEST(AgentWorkloads, AFindingThatIsTakenBackGivesItsNameToTheOneInItsPlace) {
  const base::TempDir dir;
  live::JobHost host;
  live::LiveJudge judge{pipeline::PipelineConfig{}};
  judge.remember_workloads({.folder = dir.path() / "workloads"});
  ASSERT_TRUE(judge.begin(host.facts));
  live::feed(judge, host, 200, live::kIdle);
  host.new_run();
  live::feed(judge, host, 480, live::kJob);
  host.new_run();
  live::feed(judge, host, 200, live::kIdle);
  host.new_run();
  FindingLog log({.directory = dir.path() / "findings"}, judge.history().end_ns);
  std::set<std::string> names;
  std::size_t most = 0;
  std::optional<std::string> at_first;
  const auto second = [&](const live::Load& load) {
    live::feed(judge, host, 1, load);
    log.update(judge.history());
    most = std::max(most, log.recent().size());
    for (const auto& one : log.recent()) names.insert(one.id);
    if (!at_first && !log.recent().empty()) at_first = log.recent().front().fields;
  };
  for (int i = 0; i < 40; ++i) second(with_slow_disk(live::kJob));
  ASSERT_THAT(log.recent(), SizeIs(1));
  EXPECT_TRUE(log.recent().front().open);
  for (int i = 0; i < 60; ++i) second(live::kJob);
  EXPECT_THAT(names, SizeIs(1));
  EXPECT_EQ(most, 1U);
  EXPECT_FALSE(log.recent().front().open);
  const auto compared = [](const std::string& fields) {
    return nlohmann::json::parse(fields).at("compared_with").get<std::string>();
  };
  ASSERT_TRUE(at_first);
  EXPECT_EQ(compared(*at_first), "");
  EXPECT_THAT(compared(log.recent().front().fields), HasSubstr("which this looked like"));
  EXPECT_EQ(log.recent().front().subsystem, model::Subsystem::kStorage);
}

TEST(AgentWorkloads, TheyTakeAnEighthOfWhatIsKeptAtMost) {
  EXPECT_EQ(share_of_workloads(0), std::uint64_t{16} << 20);
  EXPECT_EQ(share_of_workloads(std::uint64_t{8} << 20), std::uint64_t{1} << 20);
  EXPECT_EQ(share_of_workloads(std::uint64_t{1} << 40), std::uint64_t{16} << 20);
}

}  // namespace
}  // namespace reveal::agent
