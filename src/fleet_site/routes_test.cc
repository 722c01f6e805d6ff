#include "fleet_site/routes.h"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet_site/testing/made_fleet_state.h"

namespace reveal::fleet_site {
namespace {

using http::Caller;
using http::HttpCounts;
using http::Method;
using http::parse_target;
using http::Request;
using http::Response;

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// A server without sockets, which does at once what takes longer.
class Desk {
 public:
  FleetState state = made_fleet_state();
  std::chrono::nanoseconds age{0};
  Callbacks callbacks;
  Caller caller = {.local_address = "127.0.0.1"};
  PageFiles page;

  Response ask(const Request& request) const {
    const Published published{std::make_shared<const FleetState>(state), age};
    const HttpCounts counts;
    const http::Asked asked{.caller = caller, .counts = counts, .wall_ns = kMadeWall_ns};
    const auto out = http::answer_by(
        routes(), request, asked,
        Context{.published = published, .callbacks = callbacks, .page = page, .asked = asked});
    return out.later ? out.later() : out;
  }
  Response get(const std::string& target, const std::string& etag = "") const {
    return ask({.method = Method::kGet,
                .target = parse_target(target).value(),
                .host = "localhost",
                .if_none_match = etag});
  }
  json get_json(const std::string& target) const {
    const auto response = get(target);
    EXPECT_EQ(response.status, 200) << target << ": " << response.body;
    return json::parse(response.body);
  }
  // Has an answer for all that is not in the state.
  void answer_all() {
    callbacks.host = [](const std::string& id) -> base::Result<HostDetail> {
      return HostDetail{.id = id};
    };
    callbacks.host_page = [](std::string_view rest, const Request&) {
      return Response{.body = std::string(rest)};
    };
    callbacks.quantities = [](const std::string&) {
      return base::Result<std::vector<peers::QuantityView>>(
          {{.key = "a", .phrase = "A", .unit = "ratio", .is_signal = true}});
    };
    callbacks.levels = [](const LevelQuery&) -> base::Result<KeptQuantity> {
      return KeptQuantity{.table = {.begin_ns = kMadeWall_ns,
                                    .seconds = 2,
                                    .hosts = 3,
                                    .codes = {0, 1, 0x0203, 0, peers::kNoLevel, 0}}};
    };
  }
};

std::vector<std::string> ids_of(const json& page) {
  std::vector<std::string> out;
  for (const auto& one : page.at("incidents")) out.push_back(one.at("id"));
  return out;
}

TEST(Routes, EachHasAnAnswerWithItsStatus) {
  Desk desk;
  desk.page = {.script = "script", .style = "style"};
  desk.answer_all();
  std::set<std::string_view> paths;
  for (const auto& route : routes()) {
    EXPECT_TRUE(paths.insert(route.rules.path).second) << route.rules.path;
    EXPECT_FALSE(route.rules.help.empty()) << route.rules.path;
    EXPECT_FALSE(route.rules.changes) << route.rules.path;
    const std::string path(route.rules.path);
    const auto asked = path + (path.ends_with("hosts/")       ? "x"
                               : path.ends_with("incidents/") ? "0000000000000012"
                               : path.ends_with("hosts")      ? "?group=role%3Dtrain"
                               : path.ends_with("quantities") ? "?group=role%3Dtrain"
                               : path.ends_with("levels")     ? "?group=g&quantity=q"
                                                              : "");
    EXPECT_EQ(desk.get(asked).status, 200) << path;
    EXPECT_EQ(desk.ask({.method = Method::kPost,
                        .target = parse_target(path).value(),
                        .host = "localhost"})
                  .status,
              405)
        << path;
  }
}

TEST(Routes, AForeignHostLearnsOnlyWhetherTheAnalyserLives) {
  Desk desk;
  desk.answer_all();
  for (const auto& route : routes()) {
    const auto response = desk.ask({.method = Method::kGet,
                                    .target = parse_target(std::string(route.rules.path)).value(),
                                    .host = "evil.example"});
    EXPECT_EQ(response.status, route.rules.for_all ? 200 : 421) << route.rules.path;
  }
}

TEST(Routes, TheFleetHasItsGroupsThoseWithOpenIncidentsFirst) {
  const auto fleet = Desk().get_json("/api/v1/fleet");
  EXPECT_EQ(fleet.at("schema"), "reveal.fleet");
  EXPECT_EQ(fleet.at("state"), "judging");
  EXPECT_EQ(fleet.at("time"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(fleet.at("database"), json::parse(R"({"kind": "sqlite", "waiting": 0})"));
  EXPECT_EQ(fleet.at("counts").at("compared"), 13);
  EXPECT_EQ(fleet.at("counts").at("incidents_open"), 1);
  ASSERT_THAT(fleet.at("groups"), SizeIs(2));
  EXPECT_EQ(fleet.at("groups")[0], json::parse(R"({
      "key": "role=train", "name": "role train", "kind": "role", "hosts": 4, "present": 4,
      "judged_end": "2026-09-21T14:13:20.000Z", "certain": true, "judged_here": true,
      "quantities": 700, "slow": 1, "incidents_open": 1})"));
  EXPECT_EQ(fleet.at("groups")[1].at("kind"), "hardware");
  Desk fresh;
  fresh.state.groups[0].judged_end_wall_ns.reset();
  fresh.state.wall_ns.reset();
  const auto begun = fresh.get_json("/api/v1/fleet");
  EXPECT_TRUE(begun.at("broker_time").is_null());
  EXPECT_TRUE(begun.at("groups")[1].at("judged_end").is_null());
}

TEST(Routes, HostsComeInTheOrderOfAllListsAboutThem) {
  Desk desk;
  desk.state.groups[1].hosts = [] {
    auto out = std::make_shared<GroupHosts>();
    out->ids = {"a", "b"};
    out->names = {"n1", "n\xFF<0>"};
    out->sites = {"main", "main"};
    out->standings = {peers::Standing::kSilent, peers::Standing::kCompared};
    return out;
  }();
  const auto response = desk.get("/api/v1/hosts?group=role%3Dtrain");
  const auto hosts = json::parse(response.body).at("hosts");
  EXPECT_THAT(hosts.at("id"), ElementsAre("a", "b"));
  EXPECT_EQ(hosts.at("standings")[hosts.at("standing")[0].get<std::size_t>()], "silent");
  EXPECT_EQ(hosts.at("standings")[hosts.at("standing")[1].get<std::size_t>()], "compared");
  EXPECT_EQ(desk.get("/api/v1/hosts?group=role%3Dtrain", response.etag).status, 304);
  EXPECT_EQ(desk.get("/api/v1/hosts?group=no").status, 404);
  EXPECT_EQ(desk.get("/api/v1/hosts").status, 400);
}

TEST(Routes, WhatIsAskedOfTheLoopFailsAsItSays) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/v1/hosts/x").status, 501);
  EXPECT_EQ(desk.get("/api/v1/quantities?group=g").status, 501);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g&quantity=q").status, 501);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g").status, 400);
  EXPECT_EQ(desk.get("/api/v1/levels?quantity=g").status, 400);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g&quantity=q&seconds=301").status, 400);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g&quantity=q&x=1").status, 400);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g&quantity=q&after=soon").status, 400);
  EXPECT_EQ(desk.get("/api/v1/levels?group=g&quantity=q&after=-1").status, 400);
  EXPECT_EQ(desk.get("/api/v1/quantities").status, 400);
  const auto answer_with = [&](base::ErrorKind kind) {
    desk.callbacks.host = [kind](const std::string&) -> base::Result<HostDetail> {
      return base::fail(kind, "why");
    };
    return desk.get("/api/v1/hosts/x");
  };
  EXPECT_EQ(answer_with(base::ErrorKind::kAbsent).status, 404);
  EXPECT_EQ(answer_with(base::ErrorKind::kBusy).status, 503);
  EXPECT_EQ(answer_with(base::ErrorKind::kBusy).retry_after_s, 1);
  EXPECT_EQ(answer_with(base::ErrorKind::kIo).status, 500);
}

TEST(Routes, LevelsAreCodesOfTwoBytesAndMedians) {
  Desk desk;
  desk.answer_all();
  const auto levels = desk.get_json("/api/v1/levels?group=g&quantity=q&seconds=10");
  EXPECT_EQ(levels.at("begin"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(levels.at("seconds"), 2);
  EXPECT_EQ(levels.at("hosts"), 3);
  EXPECT_EQ(levels.at("floor"), 1);
  EXPECT_EQ(levels.at("codes"), "AAABAAMCAAD//wAA");
  // Of 0, code 1 and code 0x0203 the middle one; of two levels of 0 their mean.
  EXPECT_EQ(levels.at("median")[0], peers::level_of(1));
  EXPECT_EQ(levels.at("median")[1], 0);
}

TEST(Routes, AHostHasItsFactsAndItsOpenFindings) {
  Desk desk;
  desk.callbacks.host = [](const std::string& id) -> base::Result<HostDetail> {
    HostDetail out{.id = id,
                   .site = "main",
                   .group = "role=train",
                   .standing = peers::Standing::kCompared,
                   .heard_wall_ns = kMadeWall_ns,
                   .clock_error_s = 0.001};
    out.facts.emplace();
    out.facts->host = "n07";
    out.facts->labels = {{"rack", "r4"}};
    out.facts->facts = {{"cpufreq", "governor", "powersave"}};
    out.unlike = {{"governor", "powersave", "performance"}};
    out.findings["F1"].claim = "open";
    out.findings["F2"].what = wire::What::kClosed;
    out.incidents = {"0000000000000012"};
    out.counts.levels = 5;
    return out;
  };
  const auto host = desk.get_json("/api/v1/hosts/abc");
  EXPECT_EQ(host.at("id"), "abc");
  EXPECT_EQ(host.at("name"), "n07");
  EXPECT_EQ(host.at("standing"), "compared");
  EXPECT_EQ(host.at("heard"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(host.at("facts").at("cpufreq").at("governor"), "powersave");
  EXPECT_EQ(host.at("labels").at("rack"), "r4");
  EXPECT_EQ(host.at("unlike")[0].at("usual"), "performance");
  ASSERT_THAT(host.at("findings"), SizeIs(1));
  EXPECT_EQ(host.at("findings")[0].at("claim"), "open");
  EXPECT_EQ(host.at("counts").at("levels"), 5);
}

TEST(Routes, IncidentsAreThoseOfTheRunAndOfTheDatabase) {
  Desk desk;
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents")),
              ElementsAre("0000000000000012", "0000000000000011"));
  IncidentQuery asked;
  desk.callbacks.incidents = [&](const IncidentQuery& query) {
    asked = query;
    // The second is known in a later revision, and over.
    return base::Result<ShownList>({made_incident(5, peers::Told::kPast),
                                    made_incident(2, peers::Told::kClosed, 4),
                                    made_incident(1, peers::Told::kUpdated, 2)});
  };
  const auto all = desk.get_json("/api/v1/incidents");
  EXPECT_THAT(ids_of(all), ElementsAre("0000000000000015", "0000000000000012", "0000000000000011"));
  EXPECT_EQ(all.at("incidents")[0].at("told"), "past");
  EXPECT_EQ(all.at("incidents")[1].at("revision"), 4);
  EXPECT_EQ(all.at("incidents")[2].at("revision"), 3);
  EXPECT_THAT(all.at("incidents")[2].at("sentence").get<std::string>(), HasSubstr("n1 was slow"));
  EXPECT_TRUE(all.at("next").is_null());
  EXPECT_GE(asked.limit, kUsualIncidents + 3);
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?open=true")), SizeIs(0));
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?host=" + peers::made_id(1))),
              ElementsAre("0000000000000011"));
  EXPECT_EQ(asked.host, peers::made_id(1));
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?group=no")), SizeIs(0));
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?since=1790000007")),
              ElementsAre("0000000000000015"));
}

// The analyser that judges a group tells the end of an incident first.
TEST(Routes, WhatIsOverByTheDatabaseIsNotOpen) {
  Desk desk;
  desk.callbacks.incidents = [](const IncidentQuery&) { return base::Result<ShownList>(); };
  desk.callbacks.incident = [](const std::string&) {
    return base::Result<std::shared_ptr<const ShownIncident>>(nullptr);
  };
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?open=true")),
              ElementsAre("0000000000000012"));
  desk.callbacks.incident = [](const std::string& id) {
    EXPECT_EQ(id, "0000000000000012");
    return base::Result<std::shared_ptr<const ShownIncident>>(
        made_incident(2, peers::Told::kClosed, 2));
  };
  EXPECT_THAT(ids_of(desk.get_json("/api/v1/incidents?open=true")), SizeIs(0));
}

TEST(Routes, PagesOfIncidentsFollowOneAnother) {
  Desk desk;
  desk.callbacks.incidents = [](const IncidentQuery&) {
    return base::Result<ShownList>({made_incident(5, peers::Told::kPast)});
  };
  std::vector<std::string> ids;
  std::string next = "/api/v1/incidents?limit=1&since=1.5&group=role%3Dtrain";
  for (int page = 0; page < 3; ++page) {
    const auto answer = desk.get_json(next);
    ASSERT_THAT(answer.at("incidents"), SizeIs(1));
    ids.push_back(answer.at("incidents")[0].at("id"));
    if (page < 2) {
      next = answer.at("next").get<std::string>();
      EXPECT_THAT(next, HasSubstr("since=1.500000000"));
    } else {
      EXPECT_TRUE(answer.at("next").is_null());
    }
  }
  EXPECT_THAT(ids, ElementsAre("0000000000000015", "0000000000000012", "0000000000000011"));
}

TEST(Routes, WrongQueriesOfIncidentsAreRefused) {
  const Desk desk;
  for (const char* query : {"open=1", "since=soon", "since=-1", "before=7", "before=x:y", "limit=0",
                            "limit=1001", "limit=-1", "what=1"}) {
    EXPECT_EQ(desk.get(std::string("/api/v1/incidents?") + query).status, 400) << query;
  }
}

TEST(Routes, WithoutItsDatabaseIncidentsCannotBeHad) {
  Desk desk;
  desk.callbacks.incidents = [](const IncidentQuery&) -> base::Result<ShownList> {
    return base::fail(base::ErrorKind::kAway, "the server does not answer");
  };
  desk.callbacks.incident =
      [](const std::string&) -> base::Result<std::shared_ptr<const ShownIncident>> {
    return base::fail(base::ErrorKind::kAway, "the server does not answer");
  };
  EXPECT_EQ(desk.get("/api/v1/incidents").status, 503);
  EXPECT_EQ(desk.get("/api/v1/incidents/no").status, 503);
  // What this run knows it tells.
  EXPECT_EQ(desk.get("/api/v1/incidents/0000000000000012").status, 200);
}

TEST(Routes, OneIncidentIsTheNewestThatIsKnown) {
  Desk desk;
  EXPECT_EQ(desk.get_json("/api/v1/incidents/0000000000000012").at("told"), "opened");
  EXPECT_EQ(desk.get("/api/v1/incidents/no").status, 404);
  std::shared_ptr<const ShownIncident> past;
  desk.callbacks.incident = [&](const std::string&) {
    return base::Result<std::shared_ptr<const ShownIncident>>(past);
  };
  EXPECT_EQ(desk.get("/api/v1/incidents/no").status, 404);
  EXPECT_EQ(desk.get_json("/api/v1/incidents/0000000000000012").at("told"), "opened");
  past = made_incident(2, peers::Told::kClosed, 2);
  EXPECT_EQ(desk.get_json("/api/v1/incidents/0000000000000012").at("told"), "closed");
}

TEST(Routes, TargetsAreTheAgentsOfAllHosts) {
  Desk desk;
  const auto targets = desk.get_json("/api/v1/prometheus_targets?port=9999");
  ASSERT_THAT(targets, SizeIs(13));
  EXPECT_EQ(targets[0], json::parse(R"({"targets": ["n0:9999"], "labels": {
      "__meta_reveal_host_id": "aaaaaaaaaaaaaaaaaaaaaaaaaa", "__meta_reveal_site": "main",
      "__meta_reveal_group": "hw=x86_64 48 processors",
      "__meta_reveal_standing": "compared"}})"));
  EXPECT_EQ(desk.get_json("/api/v1/prometheus_targets")[0].at("targets")[0], "n0:7383");
  EXPECT_EQ(desk.get("/api/v1/prometheus_targets?port=0").status, 400);
  EXPECT_EQ(desk.get("/api/v1/prometheus_targets?port=65536").status, 400);
}

TEST(Routes, HealthAndReadinessAreThoseOfTheAnalyser) {
  Desk desk;
  EXPECT_EQ(desk.get("/-/healthy").body, "ok\n");
  EXPECT_EQ(desk.get("/-/ready").status, 200);
  desk.age = std::chrono::seconds(11);
  EXPECT_EQ(desk.get("/-/healthy").status, 503);
  desk.state.state = RunState::kNoBroker;
  EXPECT_EQ(desk.get("/-/ready").body, "no_broker\n");
}

TEST(Routes, ThePageHasWhatThereIsToSeeWithoutItsScript) {
  Desk desk;
  desk.state.groups[0].key = "role=<b>&amp";
  desk.state.reason = "<script>";
  const auto page = desk.get("/").body;
  EXPECT_THAT(page, HasSubstr("role &lt;b&gt;&amp;amp"));
  EXPECT_THAT(page, HasSubstr("n2 is slow since"));
  EXPECT_THAT(page, Not(HasSubstr("n1 was slow")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_EQ(desk.get("/fleet.js").status, 404);
  desk.page = {.script = "s", .style = "t"};
  EXPECT_THAT(desk.get("/").body, HasSubstr("<script src=\"/fleet.js\" defer></script>"));
}

}  // namespace
}  // namespace reveal::fleet_site
