#include "agent/alerting.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>

namespace reveal::agent {
namespace {

using ::testing::Contains;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

LoggedFinding finding() {
  LoggedFinding out;
  out.id = "01ARYZ6S410000000000000000";
  out.host = "n017";
  out.begin_ns = out.windows_begin_ns = 100 * kSecond_ns;
  out.end_ns = out.windows_end_ns = 110 * kSecond_ns;
  out.subsystem = model::Subsystem::kNetwork;
  out.severity = "moderate";
  out.claim = "Segments were lost.";
  out.sentences = {"Who: /a.", "Suffered: /b."};
  out.pattern = "segments_lost";
  out.remedy = "Look at the cable.";
  out.fields = R"({"claim":"Segments were lost."})";
  return out;
}

TEST(Alerting, AnAlertIsWhereAndWhatAndTellsTheRest) {
  const auto alert = alert_of(finding());
  EXPECT_EQ(alert.labels, (alert::Labels{{"alertname", "RevealFinding"},
                                         {"host", "n017"},
                                         {"scope", "host"},
                                         {"severity", "warning"},
                                         {"subsystem", "network"}}));
  EXPECT_THAT(alert.annotations, Contains(Pair("summary", "Segments were lost.")));
  EXPECT_THAT(alert.annotations, Contains(Pair("description", "Who: /a. Suffered: /b.")));
  EXPECT_THAT(alert.annotations, Contains(Pair("remedy", "Look at the cable.")));
  EXPECT_THAT(alert.annotations, Contains(Pair("pattern", "segments_lost")));
  EXPECT_THAT(alert.annotations, Contains(Pair("subsystem", "network")));
  EXPECT_THAT(alert.annotations, Contains(Pair("finding", "01ARYZ6S410000000000000000")));
  EXPECT_EQ(alert.begin_ns, 100 * kSecond_ns);
  EXPECT_FALSE(alert.end_ns) << "it goes on";
}

// The page opens a finding by its name behind a # (web/src/live/findings.ts).
TEST(Alerting, AnAlertLinksToItsFindingIfThePageHasAnAddress) {
  EXPECT_EQ(alert_of(finding()).url, "");
  for (const auto* page : {"https://n017:7383", "https://n017:7383/"}) {
    EXPECT_EQ(alert_of(finding(), page).url, "https://n017:7383/#01ARYZ6S410000000000000000");
    CurrentAlerts current(page);
    EXPECT_EQ(current.of({finding()}, 110 * kSecond_ns)[0].url, alert_of(finding(), page).url);
  }
}

TEST(Alerting, WhatChangesWhileItLastsIsNotItsIdentity) {
  auto graver = finding();
  graver.severity = "major";
  graver.sentences = {"Who: /c."};
  graver.pattern = "link_errors";
  graver.revision = 7;
  EXPECT_EQ(alert::identity_of(alert_of(graver).labels),
            alert::identity_of(alert_of(finding()).labels));
  EXPECT_EQ(alert_of(graver).labels.at("severity"), "critical");
  auto unknown = finding();
  unknown.severity = "unknown";
  EXPECT_EQ(alert_of(unknown).labels.at("severity"), "warning") << "somebody should look";
}

TEST(Alerting, TellsOfWhatIsOpenAndOfWhatEndedLately) {
  auto old = finding();
  old.open = false;
  auto late = old;
  late.windows_end_ns = late.end_ns = 2000 * kSecond_ns;
  CurrentAlerts current;
  const auto alerts = current.of({old, late, finding()}, 2100 * kSecond_ns);
  ASSERT_THAT(alerts, SizeIs(2));
  EXPECT_EQ(alerts[0].end_ns, 2000 * kSecond_ns);
  EXPECT_FALSE(alerts[1].end_ns) << "open, however old";
}

TEST(Alerting, AnAlertIsMadeAnewWhenItsFindingHasChangedAndOnlyThen) {
  auto one = finding();
  auto other = finding();
  one.id = "one";
  other.id = "other";
  CurrentAlerts current;
  const auto* made = current.of({one, other}, 2100 * kSecond_ns)[1].finding.data();
  one.claim = "Something else";
  ++one.revision;
  const auto again = current.of({one, other}, 2101 * kSecond_ns);
  ASSERT_THAT(again, SizeIs(2));
  EXPECT_EQ(again[0].annotations.at("summary"), "Something else");
  EXPECT_EQ(again[1].id, "other");
  EXPECT_EQ(again[1].finding.data(), made);
  const auto last = current.of({other}, 2102 * kSecond_ns);
  ASSERT_THAT(last, SizeIs(1));
  EXPECT_EQ(last[0].finding.data(), made);
}

}  // namespace
}  // namespace reveal::agent
