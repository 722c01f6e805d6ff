#include "agent/alerting.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "settings/file.h"
#include "settings/receivers.h"

namespace reveal::agent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

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

TEST(Alerting, Reveal_tomlHasEveryKindOfReceiver) {
  EXPECT_THAT(settings::receiver_kinds(), UnorderedElementsAreArray(alert::receiver_kinds()));
  for (const auto kind : settings::receiver_kinds()) {
    const auto known = alert::receiver_kind(kind);
    ASSERT_TRUE(known) << kind;
    EXPECT_EQ(alert::to_string(*known), kind);
  }
  EXPECT_FALSE(alert::receiver_kind("pigeon"));
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

TEST(Alerting, ReceiversAreThoseOfTheFile) {
  settings::Settings settings;
  settings.alerts.min_severity = "major";
  settings.alerts.resend_ns = 10 * kSecond_ns;
  settings.alerts.labels = {"cluster=a", "note=b=c"};
  settings::ReceiverSettings command;
  command.kind = "command";
  command.run = {"/bin/tell", "ops"};
  command.timeout_ns = kSecond_ns;
  settings::ReceiverSettings webhook;
  webhook.kind = "webhook";
  webhook.url = "https://example.com";
  webhook.secret_file = "/s";
  settings.receivers = {command, webhook};
  const auto options = alert_options(settings, {"/var/lib/reveal"});
  EXPECT_EQ(options.state_file, "/var/lib/reveal/state/alerts.json");
  EXPECT_EQ(options.resend, std::chrono::seconds(10));
  EXPECT_THAT(options.labels, ElementsAre(Pair("cluster", "a"), Pair("note", "b=c")));
  ASSERT_THAT(options.receivers, SizeIs(2));
  EXPECT_EQ(options.receivers[0].kind, alert::ReceiverKind::kCommand);
  EXPECT_THAT(options.receivers[0].command, ElementsAre("/bin/tell", "ops"));
  EXPECT_EQ(options.receivers[0].timeout, std::chrono::seconds(1));
  EXPECT_EQ(options.receivers[1].secret_file, "/s");
  EXPECT_EQ(options.receivers[1].least, alert::Severity::kCritical);
}

TEST(Alerting, LabelsThatAreNoneAreNamed) {
  for (const auto& [label, place] :
       {std::pair("9=a", "alerts.labels.9"), std::pair("cluster", "alerts.labels.cluster"),
        std::pair("severity=low", "alerts.labels.severity")}) {
    settings::Settings settings;
    settings.alerts.labels = {label};
    const auto sound = alert::check(alert_options(settings, {"/var/lib/reveal"}));
    ASSERT_FALSE(sound) << label;
    EXPECT_EQ(sound.error().where, place);
  }
}

// Receivers of the file have no names, so nobody is told to choose one.
TEST(Alerting, AReceiverThatTheFileHasTwiceIsNamedByItsPlace) {
  const std::string journal = "[[alerts.journal]]\n";
  const std::string webhook = "[[alerts.webhook]]\nurl = \"http://h/\"\n";
  for (const auto& [table, place] :
       {std::pair(journal, "alerts.journal[1]"), std::pair(webhook, "alerts.webhook[1]")}) {
    settings::Given given;
    ASSERT_TRUE(settings::read_settings(table + table, "reveal.toml", given));
    const auto sound = alert::check(alert_options(given.over({}), {"/var/lib/reveal"}));
    ASSERT_FALSE(sound) << place;
    EXPECT_EQ(sound.error().where, place);
    EXPECT_EQ(sound.error().remedy, "remove one");
  }
}

}  // namespace
}  // namespace reveal::agent
