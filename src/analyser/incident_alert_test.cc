#include "analyser/incident_alert.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/json.h"

namespace reveal::analyser {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

constexpr std::int64_t kOnset_ns = 1'790'000'000'000'000'000;

peers::SlowHost slow_host(const std::string& name, peers::Part part, double rise = 0.04) {
  peers::SlowHost out;
  out.id = out.name = name;
  out.part = part;
  out.onset_ns = kOnset_ns;
  peers::Evidence evidence;
  evidence.quantity.metric = "network_tcp_retransmit_ratio";
  evidence.quantity.label = "Retransmitted segments";
  evidence.quantity.unit = "ratio";
  evidence.quantity.subsystem = model::Subsystem::kNetwork;
  evidence.observed = evidence.rise = rise;
  evidence.limit = 0.005;
  evidence.least_rise = 0.01;
  out.evidence.push_back(evidence);
  return out;
}

peers::Incident incident_of(std::vector<peers::SlowHost> hosts) {
  peers::Incident out;
  out.id = "5d0c7f0a5c3e9b12";
  out.group = "role=train";
  out.onset_ns = kOnset_ns;
  out.end_ns = kOnset_ns + 10'000'000'000;
  out.group_size = 9;
  out.hosts = std::move(hosts);
  out.known_as = peers::name_of(out, kOnset_ns);
  return out;
}

TEST(IncidentAlert, OfAHostIsItsGroupHostAndSubsystem) {
  auto host = slow_host("n07", peers::Part::kSlow);
  host.pattern = "segments_lost_towards_here";
  host.finding = "01J9";
  const auto alert = alert_of(incident_of({host}), "https://fleet.example");
  EXPECT_EQ(alert.labels, (alert::Labels{{"alertname", "RevealIncident"},
                                         {"group", "role=train"},
                                         {"host", "n07"},
                                         {"pattern", "segments_lost_towards_here"},
                                         {"scope", "peer"},
                                         {"severity", "warning"},
                                         {"subsystem", "network"}}));
  EXPECT_EQ(alert.id, "5d0c7f0a5c3e9b12");
  EXPECT_EQ(alert.begin_ns, kOnset_ns);
  EXPECT_FALSE(alert.end_ns);
  EXPECT_THAT(alert.annotations, Contains(Pair("summary", HasSubstr("host n07 is slow since"))));
  EXPECT_THAT(alert.annotations, Contains(Pair("hosts", "n07")));
  EXPECT_THAT(alert.annotations, Contains(Pair("finding", "01J9")));
  EXPECT_THAT(alert.annotations, Contains(Pair("since", "2026-09-21T14:13:20.000Z")));
  EXPECT_THAT(alert.annotations, Not(Contains(Key("victims"))));
  EXPECT_EQ(alert.url, "https://fleet.example/#incident=5d0c7f0a5c3e9b12");
  EXPECT_TRUE(peers::read_incident(alert.finding)) << alert.finding;
}

TEST(IncidentAlert, NamesTheCauseAndThoseWhoWaitForIt) {
  const auto incident =
      incident_of({slow_host("n01", peers::Part::kVictim), slow_host("n02", peers::Part::kCause),
                   slow_host("n03", peers::Part::kVictim)});
  const auto alert = alert_of(incident, "");
  EXPECT_THAT(alert.labels, Contains(Pair("scope", "fleet")));
  EXPECT_THAT(alert.labels, Contains(Pair("host", "n02")));
  EXPECT_THAT(alert.labels, Not(Contains(Key("pattern"))));
  EXPECT_THAT(alert.annotations, Contains(Pair("hosts", "n01, n02, n03")));
  EXPECT_THAT(alert.annotations, Contains(Pair("victims", "n01, n03")));
  EXPECT_EQ(alert.url, "");
}

TEST(IncidentAlert, OfAWholeGroupHasNoHost) {
  auto incident = incident_of({});
  incident.is_of_all = true;
  incident.evidence = slow_host("", peers::Part::kSlow).evidence;
  incident.known_as = peers::name_of(incident, kOnset_ns);
  const auto alert = alert_of(incident, "");
  EXPECT_THAT(alert.labels, Contains(Pair("scope", "fleet")));
  EXPECT_THAT(alert.labels, Not(Contains(Key("host"))));
  EXPECT_THAT(alert.labels, Contains(Pair("severity", "critical")));
}

TEST(IncidentAlert, SeverityFollowsTheRiseAndTheNumberOfHosts) {
  using peers::Part;
  EXPECT_EQ(severity_of(incident_of({slow_host("a", Part::kSlow, 0.049)})),
            alert::Severity::kWarning);
  EXPECT_EQ(severity_of(incident_of({slow_host("a", Part::kSlow, 0.05)})),
            alert::Severity::kCritical);
  EXPECT_EQ(severity_of(incident_of({slow_host("a", Part::kPair), slow_host("b", Part::kPair)})),
            alert::Severity::kInfo);
  EXPECT_EQ(severity_of(incident_of({slow_host("a", Part::kSlow), slow_host("b", Part::kSlow)})),
            alert::Severity::kWarning);
  EXPECT_EQ(severity_of(incident_of({slow_host("a", Part::kSlow), slow_host("b", Part::kSlow),
                                     slow_host("c", Part::kSlow)})),
            alert::Severity::kCritical);
}

// What turns out later is told, but it is the same alert.
TEST(IncidentAlert, KeepsTheLabelsThatItWasNamedWith) {
  auto incident = incident_of({slow_host("n01", peers::Part::kSlow)});
  const auto before = alert_of(incident, "").labels;
  incident.hosts[0].part = peers::Part::kVictim;
  incident.hosts.push_back(slow_host("n02", peers::Part::kCause));
  incident.hosts[1].evidence[0].quantity.subsystem = model::Subsystem::kStorage;
  incident.hosts[1].pattern = "link_errors";
  const auto after = alert_of(incident, "");
  EXPECT_EQ(alert::identity_of(after.labels), alert::identity_of(before));
  EXPECT_THAT(after.annotations, Contains(Pair("pattern", "link_errors")));
  EXPECT_THAT(after.annotations, Contains(Pair("subsystem", "storage")));
}

TEST(IncidentAlert, NamesNotMoreHostsThanPeopleRead) {
  std::vector<peers::SlowHost> hosts;
  for (int i = 0; i < 60; ++i) {
    hosts.push_back(slow_host("n" + std::to_string(i), peers::Part::kSlow));
  }
  const auto alert = alert_of(incident_of(std::move(hosts)), "");
  EXPECT_THAT(alert.annotations.at("hosts"), EndsWith("n49 and 10 more"));
}

}  // namespace
}  // namespace reveal::analyser
