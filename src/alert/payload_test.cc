#include "alert/payload.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alert/testing/made_alert.h"

namespace reveal::alert {
namespace {

using Json = nlohmann::json;
using testing::at;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::made_alert;
using ::testing::Not;
using ::testing::StartsWith;

Event made_event(EventKind kind) {
  Event out;
  out.id = "0011-5-open";
  out.episode = "0011-5";
  out.kind = kind;
  out.alert = made_alert("network", at(0));
  if (kind == EventKind::kClose) out.alert.end_ns = at(90.5);
  return out;
}

TEST(AlertmanagerBody, IsWhatItsInterfaceAsksFor) {
  Posting posting;
  posting.labels = {{"alertname", "RevealFinding"}, {"host", "n017"}};
  posting.annotations = {{"summary", "bad byte \xff"}};
  posting.begin_ns = at(0);
  posting.end_ns = at(120.25);
  posting.url = "https://n017:7383/findings/1";
  const Json expected = Json::parse(R"([{
    "labels": {"alertname": "RevealFinding", "host": "n017", "cluster": "a"},
    "annotations": {"summary": "bad byte \ufffd"},
    "startsAt": "2026-09-21T14:13:20.000Z", "endsAt": "2026-09-21T14:15:20.250Z",
    "generatorURL": "https://n017:7383/findings/1"}])");
  const Labels more = {{"cluster", "a"}, {"host", "not this one"}};
  EXPECT_EQ(Json::parse(alertmanager_body(std::vector{posting}, more)), expected);
}

TEST(WebhookBody, IsAlertmanagersWithTheFinding) {
  const Json body =
      Json::parse(webhook_body(made_event(EventKind::kOpen), "hook", {{"cluster", "a"}}));
  EXPECT_EQ(body["version"], "4");
  EXPECT_EQ(body["status"], "firing");
  EXPECT_EQ(body["receiver"], "hook");
  EXPECT_EQ(body["commonLabels"]["cluster"], "a");
  ASSERT_EQ(body["alerts"].size(), 1u);
  const Json& alert = body["alerts"][0];
  EXPECT_EQ(alert["status"], "firing");
  EXPECT_EQ(alert["labels"]["subsystem"], "network");
  EXPECT_EQ(alert["startsAt"], "2026-09-21T14:13:20.000Z");
  EXPECT_EQ(alert["endsAt"], "0001-01-01T00:00:00Z");
  EXPECT_EQ(alert["fingerprint"].get<std::string>().size(), 16u);
  EXPECT_EQ(body["reveal"]["event"], "0011-5-open");
  EXPECT_EQ(body["reveal"]["kind"], "open");
  EXPECT_EQ(body["reveal"]["id"], "finding of network");
  EXPECT_EQ(body["reveal"]["finding"]["claim"], "network");
}

TEST(WebhookBody, OfAnEndIsResolved) {
  const Json body = Json::parse(webhook_body(made_event(EventKind::kClose), "hook", {}));
  EXPECT_EQ(body["status"], "resolved");
  EXPECT_EQ(body["alerts"][0]["status"], "resolved");
  EXPECT_EQ(body["alerts"][0]["endsAt"], "2026-09-21T14:14:50.500Z");
}

TEST(WebhookBody, IsSoundWhateverTheFindingIs) {
  const std::string deep = R"({"a":)" + std::string(30'000, '[') + std::string(30'000, ']') + "}";
  for (const std::string& finding : {std::string(), std::string("no JSON"), std::string("[1]"),
                                     std::string("{\"cut\": "), std::string("7"), deep}) {
    auto event = made_event(EventKind::kOpen);
    event.alert.finding = finding;
    const Json body = Json::parse(webhook_body(event, "hook", {}));
    EXPECT_EQ(body["reveal"]["finding"], Json::object()) << finding;
  }
}

TEST(JournalLine, SaysWhatHappened) {
  EXPECT_EQ(journal_line(made_event(EventKind::kOpen)),
            "<4>RevealFinding is open (warning) subsystem=network: network is slow "
            "https://n017:7383/findings/01J9\n");
  EXPECT_EQ(
      journal_line(made_event(EventKind::kClose)),
      "<5>RevealFinding is over (warning) subsystem=network: network is slow, from "
      "2026-09-21T14:13:20.000Z to 2026-09-21T14:14:50.500Z https://n017:7383/findings/01J9\n");
  auto worse = made_event(EventKind::kUpdate);
  worse.alert.labels["severity"] = "critical";
  EXPECT_THAT(journal_line(worse), StartsWith("<2>RevealFinding is worse (critical)"));
  worse.alert.labels["severity"] = "info";
  EXPECT_THAT(journal_line(worse), StartsWith("<6>"));
}

TEST(JournalLine, IsOneLineWhateverTheAlertSays) {
  auto event = made_event(EventKind::kOpen);
  event.alert.annotations["summary"] = "a\n<0>forged \x1b[31m \xff";
  EXPECT_THAT(journal_line(event), HasSubstr("a <0>forged ?[31m ?"));
  for (const char* letter : {"x", "µ", "負", "🚀"}) {
    std::string& summary = event.alert.annotations["summary"];
    summary.clear();
    while (summary.size() < 3 * kLongestLine) summary += letter;
    const std::string line = journal_line(event);
    EXPECT_LE(line.size(), kLongestLine) << letter;
    EXPECT_THAT(line, EndsWith(std::string(letter) + "\n"));
    EXPECT_THAT(line, Not(HasSubstr("?"))) << letter;
  }
}

}  // namespace
}  // namespace reveal::alert
