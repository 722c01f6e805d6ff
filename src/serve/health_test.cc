#include "serve/health.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

HealthVerdict judge(const AgentState& state, std::chrono::nanoseconds age = milliseconds(100)) {
  return judge_health(status_json({std::make_shared<const AgentState>(state), age}, kMadeWall_ns));
}

AgentState quiet_state() {
  auto out = made_state();
  out.findings.clear();
  return out;
}

TEST(Health, WithoutAStatusItsJsonTellsWhy) {
  const base::Result<std::string> none =
      base::fail(base::ErrorKind::kAbsent, "no agent answers at this socket", "a\xff.sock");
  const auto json = nlohmann::json::parse(health_json(judge_health(none)));
  EXPECT_THAT(json.at("error").get<std::string>(),
              "REVEAL UNKNOWN - a?.sock: no agent answers at this socket");
}

TEST(Health, AQuietHostIsOk) {
  const auto verdict = judge(quiet_state());
  EXPECT_EQ(verdict.health, Health::kOk);
  EXPECT_EQ(verdict.line,
            "REVEAL OK - judging; no open finding | open_findings=0;0;;0 major_findings=0;;0;0 "
            "tick_age=0.100s;30;;0");
  EXPECT_EQ(verdict.slurm, "");
}

TEST(Health, AFleetThatIsNotToldIsSaidAndNoFaultOfTheHost) {
  auto state = quiet_state();
  state.fleet->trouble = "no connection to the broker";
  EXPECT_EQ(judge(state).health, Health::kOk);
  EXPECT_THAT(judge(state).line,
              StartsWith("REVEAL OK - judging; no open finding; the fleet is not told: no "
                         "connection to the broker | open_findings=0;"));
  state.findings = {made_finding(1, true, "minor")};
  EXPECT_THAT(judge(state).line, HasSubstr("36 619/s; the fleet is not told: no connection"));
  EXPECT_THAT(judge(state).slurm, Not(HasSubstr("fleet")));
  state.fleet.reset();
  EXPECT_THAT(judge(state).line, Not(HasSubstr("fleet")));
}

TEST(Health, AFindingWarnsAndAMajorOneIsCritical) {
  auto state = quiet_state();
  state.findings = {made_finding(1, true, "minor")};
  const auto warning = judge(state);
  EXPECT_EQ(warning.health, Health::kWarning);
  EXPECT_THAT(warning.line,
              StartsWith("REVEAL WARNING - open: 1 finding; network, minor: TCP segments out of "
                         "order rose to 36 619/s | open_findings=1;0;;0 major_findings=0;"));
  state.findings.push_back(made_finding(2, true, "major"));
  const auto critical = judge(state);
  EXPECT_EQ(critical.health, Health::kCritical);
  EXPECT_THAT(critical.line, StartsWith("REVEAL CRITICAL - open: 2 findings; network, major: "));
  EXPECT_EQ(critical.slurm,
            "[node_problem] reveal: open: 2 findings; network, major: TCP segments out of order "
            "rose to 36 619/s");
  for (auto& finding : state.findings) finding.open = false;
  EXPECT_EQ(judge(state).health, Health::kOk);
}

TEST(Health, AMajorOneBeyondTheNamedIsCriticalToo) {
  auto state = quiet_state();
  for (std::size_t i = 0; i < kMostNamedFindings; ++i) {
    state.findings.push_back(made_finding(i, true, "minor"));
  }
  state.findings.push_back(made_finding(99, true, "major"));
  EXPECT_EQ(judge(state).health, Health::kCritical);
}

TEST(Health, AnAgentThatDoesNotJudgeWarns) {
  auto state = quiet_state();
  state.state = RunState::kLearning;
  state.reason = "42 s to go";
  EXPECT_EQ(judge(state).health, Health::kWarning);
  EXPECT_THAT(judge(state).line, StartsWith("REVEAL WARNING - learning: 42 s to go; no open "));
  EXPECT_EQ(judge(state).slurm, "");  // no fault of the node
  state.state = RunState::kDegraded;
  EXPECT_EQ(judge(state).health, Health::kWarning);
}

TEST(Health, WithoutTicksNothingIsKnown) {
  EXPECT_EQ(judge(made_state(), seconds(30)).health, Health::kCritical);
  EXPECT_EQ(judge(made_state(), seconds(31)).health, Health::kUnknown);
  EXPECT_THAT(judge(made_state(), seconds(31)).line, HasSubstr("no tick for 31 s"));
  EXPECT_EQ(judge(AgentState{}).health, Health::kUnknown);
  const auto status =
      status_json({std::make_shared<const AgentState>(quiet_state()), seconds(5)}, 0);
  EXPECT_EQ(judge_health(status, seconds(4)).health, Health::kUnknown);
  EXPECT_EQ(judge_health(status, seconds(5)).health, Health::kOk);
}

TEST(Health, WithoutAnAnswerNothingIsKnown) {
  const auto none = judge_health(base::fail(base::ErrorKind::kAbsent, "no agent answers", "/s"));
  EXPECT_EQ(none.health, Health::kUnknown);
  EXPECT_EQ(none.line, "REVEAL UNKNOWN - /s: no agent answers");
  for (const char* text : {"", "x", "null", "[]", "{}", "7", "{\"state\":\"judging\"}",
                           "{\"state\":1,\"findings\":{\"open\":0}}",
                           "{\"state\":\"judging\",\"findings\":{\"open\":-1}}",
                           "{\"state\":\"judging\",\"findings\":{\"open\":0},\"recorder\":[]}",
                           "{\"state\":\"judging\",\"findings\":{\"open\":0},\"recorder\":{\"tick_"
                           "age_seconds\":\"1\"}}"}) {
    EXPECT_EQ(judge_health(std::string(text)).health, Health::kUnknown) << text;
  }
}

TEST(Health, TheLineIsOneLineWithOneBar) {
  auto state = quiet_state();
  state.findings = {made_finding(1, true, "minor")};
  state.findings[0].claim = "a|b\nc\x1b[31m" + std::string(1000, 'x');
  const auto line = judge(state).line;
  EXPECT_THAT(line, HasSubstr("minor: a/b c?[31m"));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 1);
  EXPECT_LT(line.size(), 500U);
}

}  // namespace
}  // namespace reveal::serve
