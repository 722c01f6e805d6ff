// What a judge says of a finding, compared with what its history and the finding have.
#include "agent/finding_verdict.h"

#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "live/testing/feed.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;

// A judge that knows a burst of five seconds.
struct Judged {
  Judged() {
    host.tell_what_waits(true);
    EXPECT_TRUE(judge.begin(host.facts));
    live::feed(judge, host, 80);
    live::feed(judge, host, 5, true);
    live::feed(judge, host, 5);
    EXPECT_EQ(judge.history().findings.size(), 1U);
  }
  const attribute::Finding& finding() const { return judge.history().findings.front(); }

  pipeline::SyntheticHost host;
  live::LiveJudge judge{pipeline::PipelineConfig{}};
};

TEST(FindingVerdict, IsOfTheWindowThatTheClaimIsAbout) {
  const Judged judged;
  const auto verdict = verdict_of(judged.judge.history(), judged.finding());
  ASSERT_TRUE(verdict);
  ASSERT_TRUE(judged.finding().telling);
  const auto& telling = *judged.finding().telling;
  EXPECT_EQ(verdict->claim.channel, judged.judge.history().channels->name(telling.key.channel));
  EXPECT_EQ(verdict->claim.observed, telling.observed);
  EXPECT_EQ(verdict->claim.usual, telling.baseline_median);
  EXPECT_GE(verdict->begin_ns, judged.finding().windows_begin_ns());
  EXPECT_LE(verdict->end_ns, judged.finding().windows_end_ns());
  EXPECT_EQ(verdict->windows, judged.finding().windows.size());
  EXPECT_EQ(verdict->ticks, 30U);
  EXPECT_EQ(verdict->stride_ticks, 10U);
  EXPECT_FALSE(verdict->is_saved_baseline);
  EXPECT_GE(verdict->baseline_windows, 60U);
  EXPECT_LT(verdict->baseline_end_ns, verdict->begin_ns);
}

// A detector flags what lies above its limit, and a window is flagged by the votes of enough.
TEST(FindingVerdict, HasScoresThatMakeTheVotes) {
  const Judged judged;
  const auto verdict = verdict_of(judged.judge.history(), judged.finding());
  ASSERT_TRUE(verdict);
  int votes = 0;
  for (const auto& one : verdict->detectors) {
    EXPECT_TRUE(one.flagged || one.score <= one.limit) << one.name;
    EXPECT_LT(one.usual_score, one.limit) << one.name;
    EXPECT_NE(one.label, "") << one.name;
    EXPECT_TRUE(one.share || !one.flagged) << one.name;
    votes += one.flagged ? one.votes : 0;
  }
  EXPECT_EQ(verdict->min_agreement, 2);
  EXPECT_GE(votes, verdict->min_agreement);
  ASSERT_FALSE(verdict->largest.empty());
  EXPECT_EQ(verdict->largest.front().contribution, judged.finding().evidence.front().contribution);
}

TEST(FindingVerdict, IsReadBackAsItWasWritten) {
  const Judged judged;
  const auto verdict = verdict_of(judged.judge.history(), judged.finding());
  ASSERT_TRUE(verdict);
  const base::TempDir dir;
  const auto file = dir.path() / "verdict.json";
  ASSERT_TRUE(base::write_new_file(file, to_json(*verdict)));
  const auto read = load_verdict(file);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(to_json(*read), to_json(*verdict));
  EXPECT_LT(to_json(*verdict).size(), 8192U);
}

// A file of an older agent.
TEST(FindingVerdict, MayLackTheShareOfWhatIsNotKnown) {
  const Judged judged;
  const auto verdict = verdict_of(judged.judge.history(), judged.finding());
  ASSERT_TRUE(verdict);
  auto json = nlohmann::json::parse(to_json(*verdict));
  EXPECT_EQ(json["subsystem_shares"].erase("unknown"), 1U);
  const base::TempDir dir;
  const auto file = dir.path() / "verdict.json";
  ASSERT_TRUE(base::write_new_file(file, json.dump()));
  const auto read = load_verdict(file);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->shares, verdict->shares);
  json["subsystem_shares"].erase("cpu");
  ASSERT_TRUE(base::write_new_file(file, json.dump()));
  EXPECT_FALSE(load_verdict(file));
}

TEST(FindingVerdict, IsNothingIfNoMetricStandsOut) {
  const Judged judged;
  auto finding = judged.finding();
  finding.telling.reset();
  EXPECT_FALSE(verdict_of(judged.judge.history(), finding));
}

TEST(FindingVerdict, IsRefusedIfItCannotBeOne) {
  const Judged judged;
  auto verdict = verdict_of(judged.judge.history(), judged.finding());
  ASSERT_TRUE(verdict);
  const base::TempDir dir;
  const auto file = dir.path() / "verdict.json";
  const auto reason = [&](const std::string& text) {
    EXPECT_TRUE(base::write_new_file(file, text));
    const auto read = load_verdict(file);
    return read ? std::string() : read.error().message();
  };
  EXPECT_THAT(reason("{"), HasSubstr("is not the verdict on a finding"));
  EXPECT_THAT(reason("[]"), HasSubstr("is not the verdict on a finding"));
  EXPECT_THAT(reason(R"({"schema": "reveal.verdict", "schema_version": 2})"),
              HasSubstr("another schema version"));
  EXPECT_THAT(reason(R"({"schema": "reveal.verdict", "schema_version": 1})"), HasSubstr("window"));
  verdict->ticks = 2'000'000;
  EXPECT_THAT(reason(to_json(*verdict)), HasSubstr("cannot be"));
  verdict->ticks = 30;
  verdict->claim.feature = "none";
  EXPECT_THAT(reason(to_json(*verdict)), HasSubstr("cannot be"));
}

}  // namespace
}  // namespace reveal::agent
