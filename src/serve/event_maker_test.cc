#include "serve/event_maker.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/json_text.h"
#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using http::Event;
using http::Json;

using std::chrono::seconds;
using ::testing::ElementsAre;

EventMaker::Clock::time_point at(int second) {
  return EventMaker::Clock::time_point(seconds(second));
}

// Returns "window", "finding open F2", ...
std::vector<std::string> summary(const std::vector<Event>& events) {
  std::vector<std::string> out;
  for (const auto& event : events) {
    out.emplace_back(event.kind);
    if (event.kind != "finding") continue;
    const auto json = Json::parse(event.json);
    out.back() += " " + json.at("kind").get<std::string>() + " " +
                  json.at("finding").at("id").get<std::string>();
  }
  return out;
}

TEST(EventMaker, AWindowTellsTheState) {
  EventMaker maker;
  auto state = made_state();
  state.windows.end_wall_ns = kMadeWall_ns;
  const auto events = maker.events_of(state, at(0));
  ASSERT_THAT(summary(events), ElementsAre("window"));
  const auto json = Json::parse(events[0].json);
  EXPECT_EQ(json.at("state"), "judging");
  EXPECT_EQ(json.at("end"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(json.at("strength"), 0.25);
  EXPECT_EQ(json.at("subsystem_shares").at("cpu"), 0.75);
  EXPECT_EQ(json.at("findings_open"), 1);
}

TEST(EventMaker, AWindowIsSmallWhateverTheReasonIs) {
  EventMaker maker;
  auto state = made_state();
  state.reason = std::string(100'000, '\x01');
  EXPECT_LT(maker.events_of(state, at(0))[0].json.size(), 1536U);
}

TEST(EventMaker, AFindingOpensIsUpdatedAndCloses) {
  EventMaker maker;
  auto state = made_state();
  maker.events_of(state, at(0));
  EXPECT_THAT(summary(maker.events_of(state, at(1))), ElementsAre("window"));
  state.findings.push_back(made_finding(3, true, "minor"));
  EXPECT_THAT(summary(maker.events_of(state, at(2))), ElementsAre("window", "finding open F3"));
  state.findings.back().revision = 3;
  EXPECT_THAT(summary(maker.events_of(state, at(3))), ElementsAre("window"));  // not yet
  state.findings.back().revision = 4;
  EXPECT_THAT(summary(maker.events_of(state, at(7))), ElementsAre("window", "finding update F3"));
  state.findings.back().open = false;
  EXPECT_THAT(summary(maker.events_of(state, at(8))), ElementsAre("window", "finding close F3"));
  state.findings.back().revision = 6;  // its last word
  EXPECT_THAT(summary(maker.events_of(state, at(40))), ElementsAre("window", "finding update F3"));
  state.findings.pop_back();
  EXPECT_THAT(summary(maker.events_of(state, at(41))), ElementsAre("window"));
}

TEST(EventMaker, AFindingThatIsOverWhenItBecomesKnownCloses) {
  EventMaker maker;
  auto state = made_state();
  maker.events_of(state, at(0));
  state.findings.push_back(made_finding(3, false, "minor"));
  EXPECT_THAT(summary(maker.events_of(state, at(1))), ElementsAre("window", "finding close F3"));
}

TEST(EventMaker, TicksThatAreMissingAreAGap) {
  EventMaker maker;
  auto state = made_state();
  maker.events_of(state, at(0));
  state.recorder.missed[0].count += 2;
  const auto events = maker.events_of(state, at(1));
  EXPECT_THAT(summary(events), ElementsAre("gap", "window"));
  EXPECT_EQ(events[0].json, R"({"missed":2})");
  state.recorder.missed[0].count = 0;
  EXPECT_THAT(summary(maker.events_of(state, at(2))), ElementsAre("window"));
}

}  // namespace
}  // namespace reveal::serve
