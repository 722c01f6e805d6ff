// Findings of a made-up host over restarts of its judge.
#include "agent/finding_log.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "agent/finding_id.h"
#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "live/testing/feed.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;  // of a synthetic host

// A judge with its log, as the agent has them.
struct Agent {
  explicit Agent(const std::filesystem::path& dir, std::int64_t judged_ns = 0)
      : log({.directory = dir, .judged_ns = judged_ns}, kBegin_ns + 100 * kSecond_ns) {
    host.tell_what_waits(true);
    EXPECT_TRUE(judge.begin(host.facts));
  }
  // Second by second, as the agent does.
  void live(int seconds, bool burst = false) {
    for (int i = 0; i < seconds; ++i) {
      live::feed(judge, host, 1, burst);
      for (const auto& id : log.update(judge.history())) changed.insert(id);
    }
  }

  pipeline::SyntheticHost host;
  live::LiveJudge judge{pipeline::PipelineConfig{}};
  FindingLog log;
  std::set<std::string> changed;
};

TEST(FindingLog, KeepsAFindingFromItsBeginToItsEnd) {
  const base::TempDir dir;
  Agent agent(dir.path());
  agent.live(80);
  EXPECT_THAT(agent.log.recent(), IsEmpty());
  agent.live(5, true);
  ASSERT_THAT(agent.log.recent(), SizeIs(1));
  const auto opened = agent.log.recent().front();
  EXPECT_TRUE(opened.open);
  EXPECT_TRUE(is_finding_id(opened.id));
  EXPECT_EQ(opened.subsystem, model::Subsystem::kStorage);
  EXPECT_THAT(opened.claim, HasSubstr("waited for the disk"));
  auto saved = load_findings(dir.path(), kBegin_ns, kBegin_ns);
  ASSERT_THAT(saved.findings, SizeIs(1));
  EXPECT_TRUE(saved.findings.front().open);

  agent.live(60);
  ASSERT_THAT(agent.log.recent(), SizeIs(1));
  const auto& closed = agent.log.recent().front();
  EXPECT_EQ(closed.id, opened.id);
  EXPECT_FALSE(closed.open);
  EXPECT_GT(closed.revision, opened.revision);
  EXPECT_NEAR(static_cast<double>(closed.begin_ns - kBegin_ns) / 1e9, 80, 0.3);
  EXPECT_NEAR(static_cast<double>(closed.end_ns - kBegin_ns) / 1e9, 85, 0.3);
  saved = load_findings(dir.path(), kBegin_ns, kBegin_ns);
  ASSERT_THAT(saved.findings, SizeIs(1));
  EXPECT_EQ(to_json(saved.findings.front()), to_json(closed)) << "the last word is on the disk";
  EXPECT_THAT(agent.log.take_troubles(), IsEmpty());
}

TEST(FindingLog, IsTheObjectOfAReportWithANameAndAState) {
  const base::TempDir dir;
  Agent agent(dir.path());
  agent.live(80);
  agent.live(6, true);
  ASSERT_THAT(agent.log.recent(), SizeIs(1));
  const auto& finding = agent.log.recent().front();
  const auto json = nlohmann::json::parse(to_json(finding));
  EXPECT_EQ(json["schema"], "reveal.finding");
  EXPECT_EQ(json["id"], finding.id);
  EXPECT_EQ(json["open"], true);
  EXPECT_EQ(json["host"], "synthetic");
  EXPECT_EQ(json["subsystem"], "storage");
  EXPECT_EQ(json["claim"], finding.claim);
  EXPECT_FALSE(json["evidence"].empty());
  EXPECT_EQ(json["begin"]["ns"], finding.begin_ns);
  std::set<std::string> keys;
  const auto once = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& key) {
    if (depth == 1 && event == nlohmann::json::parse_event_t::key) {
      EXPECT_TRUE(keys.insert(key.get<std::string>()).second) << key;
    }
    return true;
  };
  EXPECT_EQ(nlohmann::json::parse(to_json(finding), once), json);
}

// Two faults in a row overlap by the windows that lie in both.
TEST(FindingLog, GivesAFindingTheNameOfTheOneThatBeganNearest) {
  const base::TempDir dir;
  const auto busy = [](Agent& agent, int seconds) {
    for (int i = 0; i < seconds * 10; ++i) {
      ASSERT_TRUE(agent.judge.write(agent.host.channels, agent.host.tick(false, true)));
      if (i % 10 == 9) agent.log.update(agent.judge.history());
    }
  };
  Agent before(dir.path());
  before.live(80);
  before.live(10, true);
  busy(before, 10);
  before.live(30);
  ASSERT_THAT(before.log.recent(), SizeIs(2));
  const auto& second = before.log.recent().back();
  ASSERT_EQ(second.subsystem, model::Subsystem::kCpu);
  ASSERT_LT(second.windows_begin_ns, before.log.recent().front().windows_end_ns);

  Agent after(dir.path(), before.judge.history().windows.back().span.end_ns);
  after.live(90);
  busy(after, 10);
  after.live(60);
  ASSERT_THAT(after.log.recent(), SizeIs(2));
  EXPECT_EQ(after.log.find(second.id)->claim, second.claim);
  EXPECT_EQ(after.log.recent().front().subsystem, model::Subsystem::kStorage);
}

// What becomes of the first is told on, and the second is over before it.
TEST(FindingLog, TwoFaultsAtOneTimeAreOpenAtOneTimeAndHaveNamesOfTheirOwn) {
  const base::TempDir dir;
  pipeline::SyntheticHost host;
  host.tell_what_waits(true);
  host.tell_who_computes();
  live::LiveJudge judge{pipeline::PipelineConfig{}};
  FindingLog log({.directory = dir.path()}, kBegin_ns);
  ASSERT_TRUE(judge.begin(host.facts));
  const auto live = [&](int seconds, bool burst, bool cpu_burst) {
    for (int i = 0; i < seconds * 10; ++i) {
      ASSERT_TRUE(judge.write(host.channels, host.tick(burst, cpu_burst)));
      if (i % 10 == 9) log.update(judge.history());
    }
  };
  live(80, false, false);
  live(5, true, false);
  live(6, true, true);
  ASSERT_THAT(log.recent(), SizeIs(2));
  const auto first = log.recent()[0].id;
  const auto second = log.recent()[1].id;
  EXPECT_NE(first, second);
  EXPECT_TRUE(log.find(first)->open && log.find(second)->open);
  EXPECT_EQ(log.find(first)->subsystem, model::Subsystem::kStorage);
  EXPECT_EQ(log.find(second)->subsystem, model::Subsystem::kCpu);
  live(14, true, false);
  EXPECT_TRUE(log.find(first)->open);
  EXPECT_FALSE(log.find(second)->open);
  live(40, false, false);
  ASSERT_THAT(log.recent(), SizeIs(2));
  EXPECT_FALSE(log.find(first)->open);
  const auto seconds_of = [&](const std::string& id) {
    return static_cast<double>(log.find(id)->end_ns - log.find(id)->begin_ns) / 1e9;
  };
  EXPECT_NEAR(seconds_of(first), 25, 0.5);
  EXPECT_NEAR(seconds_of(second), 6, 0.5);
  EXPECT_THAT(load_findings(dir.path(), kBegin_ns, kBegin_ns).findings, SizeIs(2));
}

// The judge before may have seen less of it, if it had to skip windows.
TEST(FindingLog, OpensNothingAgainThatHadEndedBeforeARestart) {
  const base::TempDir dir;
  Agent before(dir.path());
  before.live(80);
  before.live(4, true);
  before.live(30);
  ASSERT_THAT(before.log.recent(), SizeIs(1));
  ASSERT_FALSE(before.log.recent().front().open);
  const auto told = to_json(before.log.recent().front());
  const auto judged_ns = before.judge.history().windows.back().span.end_ns;

  Agent after(dir.path(), judged_ns);
  after.live(80);
  for (int i = 0; i < 20; ++i) {
    after.live(1, i < 9);
    ASSERT_THAT(after.log.recent(), SizeIs(1));
    EXPECT_EQ(to_json(after.log.recent().front()), told) << i;
  }
  EXPECT_THAT(after.changed, IsEmpty());
  after.live(60);
  EXPECT_FALSE(after.log.recent().front().open);
}

// The recording is judged once more by the process that comes after.
TEST(FindingLog, NamesNothingAnewAfterARestart) {
  const base::TempDir dir;
  Agent before(dir.path());
  before.live(80);
  before.live(5, true);
  before.live(30);
  ASSERT_THAT(before.log.recent(), SizeIs(1));
  const auto id = before.log.recent().front().id;
  const auto judged_ns = before.judge.history().windows.back().span.end_ns;

  Agent after(dir.path(), judged_ns);
  after.live(80);
  after.live(5, true);
  after.live(30);
  ASSERT_THAT(after.log.recent(), SizeIs(1));
  EXPECT_EQ(after.log.recent().front().id, id);
  after.live(5, true);
  ASSERT_THAT(after.log.recent(), SizeIs(2)) << "what is new has a name of its own";
  EXPECT_NE(after.log.recent().back().id, id);
}

TEST(FindingLog, GoesOnWithAFindingThatWasOpenWhenTheJudgeDied) {
  const base::TempDir dir;
  Agent before(dir.path());
  before.live(80);
  before.live(3, true);
  ASSERT_THAT(before.log.recent(), SizeIs(1));
  const auto id = before.log.recent().front().id;

  Agent after(dir.path(), before.judge.history().windows.back().span.end_ns);
  after.live(80);
  after.live(8, true);
  after.live(50);
  ASSERT_THAT(after.log.recent(), SizeIs(1));
  EXPECT_EQ(after.log.recent().front().id, id);
  EXPECT_FALSE(after.log.recent().front().open);
  EXPECT_GT(after.log.recent().front().revision, before.log.recent().front().revision);
}

std::int64_t at(int second) {
  return kBegin_ns + second * kSecond_ns;
}

// Saves a finding with windows between these seconds.
void save(const std::filesystem::path& dir, int begin, int end, bool open) {
  LoggedFinding one;
  one.id = new_finding_id(at(begin));
  one.open = open;
  one.windows_begin_ns = one.begin_ns = at(begin);
  one.windows_end_ns = one.end_ns = at(end);
  one.fields =
      R"({"claim":"x","subsystem":"cpu","severity":null,"severity_word":"unknown","remedy":null,"patterns":[]})";
  ASSERT_TRUE(save_finding(dir, one));
}

// A finding of which all was told is left alone; the others must be judged once more.
TEST(FindingLog, SaysFromWhenOnAJudgeHasMoreToTell) {
  const base::TempDir dir;
  const auto untold_s = [&](int oldest) {
    const FindingLog log({.directory = dir.path(), .judged_ns = at(1000)}, at(1010));
    return (log.untold_since_ns(at(oldest)) - kBegin_ns) / kSecond_ns;
  };
  EXPECT_EQ(untold_s(0), 1000);
  save(dir.path(), 800, 900, false);
  EXPECT_EQ(untold_s(0), 1000) << "what it cost was told 35 s after it";
  save(dir.path(), 960, 970, false);
  EXPECT_EQ(untold_s(0), 960) << "that is told still";
  save(dir.path(), 400, 410, true);
  EXPECT_EQ(untold_s(0), 400) << "it goes on; its file is of its begin";
  EXPECT_EQ(untold_s(500), 960) << "what was recorded then is not read";
}

// Of a finding that is cut, the tail alone would be judged.
TEST(FindingLog, SaysFromWhenOnAJudgeSeesEachFindingWhole) {
  const base::TempDir dir;
  const auto uncut_s = [&](int since, int oldest) {
    const FindingLog log({.directory = dir.path(), .judged_ns = at(1000)}, at(1010));
    return (log.uncut_since_ns(at(since), 60 * kSecond_ns, at(oldest)) - kBegin_ns) / kSecond_ns;
  };
  EXPECT_EQ(uncut_s(940, 0), 940);
  save(dir.path(), 900, 950, false);
  EXPECT_EQ(uncut_s(940, 0), 840) << "the margin before its begin";
  EXPECT_EQ(uncut_s(950, 0), 950) << "it is over then";
  EXPECT_EQ(uncut_s(900, 0), 900) << "it begins then";
  save(dir.path(), 700, 800, false);
  EXPECT_EQ(uncut_s(940, 0), 840) << "it lies before that";
  save(dir.path(), 810, 845, false);
  EXPECT_EQ(uncut_s(940, 0), 640) << "840 lies within it, and 750 within the one before";
  EXPECT_EQ(uncut_s(940, 705), 750) << "what was recorded at 700 is not read";
}

TEST(FindingLog, TellsNobodyOfAPastThatWasJudgedBefore) {
  const base::TempDir dir;
  Agent agent(dir.path(), kBegin_ns + 100 * kSecond_ns);
  agent.live(80);
  agent.live(5, true);  // another judge saw this, and did not find it
  agent.live(30);
  EXPECT_THAT(agent.judge.history().findings, SizeIs(1));
  EXPECT_THAT(agent.log.recent(), IsEmpty());
  EXPECT_THAT(agent.changed, IsEmpty());
}

// A counter must not fall, so a finding counts when its severity is certain.
TEST(FindingLog, CountsAFindingOnceWhenAllIsTold) {
  const base::TempDir dir;
  Agent agent(dir.path());
  agent.live(80);
  agent.live(5, true);
  ASSERT_THAT(agent.log.recent(), SizeIs(1));
  EXPECT_THAT(agent.log.totals(), IsEmpty());
  agent.live(60);
  const auto& closed = agent.log.recent().front();
  const FindingLog::Totals once{{{model::Subsystem::kStorage, closed.severity}, 1}};
  EXPECT_EQ(agent.log.totals(), once);
  agent.live(60);
  EXPECT_EQ(agent.log.totals(), once);
}

TEST(FindingLog, EndsWhatIsOpenInTheFilesAndIsNotFoundAgain) {
  const base::TempDir dir;
  LoggedFinding lost;
  lost.id = new_finding_id(kBegin_ns + 10 * kSecond_ns);
  lost.windows_begin_ns = lost.begin_ns = kBegin_ns + 10 * kSecond_ns;
  lost.windows_end_ns = lost.end_ns = kBegin_ns + 20 * kSecond_ns;
  lost.fields =
      R"({"claim":"x","subsystem":"cpu","severity":null,"severity_word":"unknown","remedy":null,"patterns":[]})";
  ASSERT_TRUE(save_finding(dir.path(), lost));
  Agent agent(dir.path());
  agent.live(80);
  ASSERT_THAT(agent.log.recent(), SizeIs(1));
  EXPECT_FALSE(agent.log.recent().front().open);
  EXPECT_TRUE(agent.changed.contains(lost.id));
  EXPECT_EQ(agent.log.totals().size(), 1U);
  EXPECT_FALSE(load_findings(dir.path(), kBegin_ns, kBegin_ns).findings.front().open);
}

TEST(FindingLog, APatternThatGivesNoAdviceIsNoneAfterARestartEither) {
  const base::TempDir dir;
  LoggedFinding finding;
  finding.id = new_finding_id(kBegin_ns);
  finding.windows_begin_ns = finding.windows_end_ns = kBegin_ns;
  finding.begin_ns = finding.end_ns = kBegin_ns;
  const auto pattern_after = [&](const std::string& match) {
    finding.fields =
        R"({"claim":"x","subsystem":"cpu","severity_word":"minor","remedy":null,"patterns":[)" +
        match + "]}";
    EXPECT_TRUE(save_finding(dir.path(), finding));
    const auto saved = load_findings(dir.path(), kBegin_ns, kBegin_ns);
    return saved.findings.size() == 1 ? saved.findings.front().pattern : "not one finding";
  };
  EXPECT_EQ(pattern_after(R"({"name":"swapping","against":[],"beside":false})"), "swapping");
  EXPECT_EQ(pattern_after(R"({"name":"swapping","against":[{"channel":"a"}],"beside":false})"), "");
  EXPECT_EQ(pattern_after(R"({"name":"swapping","against":[],"beside":true})"), "");
  EXPECT_EQ(pattern_after(""), "");
}

TEST(FindingLog, SaysWhichFilesItCannotReadAndGoesOn) {
  const base::TempDir dir;
  LoggedFinding finding;
  finding.id = new_finding_id(kBegin_ns);
  finding.windows_begin_ns = finding.windows_end_ns = kBegin_ns;
  const auto folder = folder_of(dir.path(), finding);
  EXPECT_THAT(folder.string(), HasSubstr("/2023/11/14/"));  // of 1700000000 s
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "finding.json") << R"({"id": 3, "open": )";
  Agent agent(dir.path());
  EXPECT_THAT(agent.log.take_troubles(), SizeIs(1));
  agent.live(80);
  agent.live(5, true);
  EXPECT_THAT(agent.log.recent(), SizeIs(1));
}

}  // namespace
}  // namespace reveal::agent
