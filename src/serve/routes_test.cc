#include "serve/routes.h"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "http/samples.h"
#include "serve/findings_json.h"
#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using http::Caller;
using http::etag_of;
using http::Exposition;
using http::HttpCounts;
using http::media_type;
using http::Method;
using http::parse_target;
using http::Request;
using http::Response;

using nlohmann::json;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

// A server without sockets.
class Desk {
 public:
  AgentState state = made_state();
  std::chrono::nanoseconds tick_age{0};
  Callbacks callbacks;
  Caller caller = {.local_address = "127.0.0.1"};
  std::vector<std::string> names = {"n017"};
  std::vector<std::string> certificate_names;
  PageFiles page;

  Response ask(Request request) const {
    const Published published{std::make_shared<const AgentState>(state), tick_age};
    const HttpCounts counts;
    ChannelsJson channels;
    const http::Asked asked{.caller = caller,
                            .counts = counts,
                            .names = names,
                            .certificate_names = certificate_names,
                            .wall_ns = kMadeWall_ns};
    return http::answer_by(routes(), request, asked,
                           Context{.published = published,
                                   .callbacks = callbacks,
                                   .page = page,
                                   .channels = channels,
                                   .asked = asked});
  }
  Response get(const std::string& target, const std::string& host = "localhost") const {
    return ask({.method = Method::kGet, .target = parse_target(target).value(), .host = host});
  }
  Response post(const std::string& target, const std::string& body) const {
    return ask({.method = Method::kPost,
                .target = parse_target(target).value(),
                .host = "localhost",
                .body = body});
  }
};

std::vector<std::string> ids_of(const Response& response) {
  std::vector<std::string> out;
  const auto page = json::parse(response.body);
  for (const auto& one : page.at("findings")) out.push_back(one.at("id"));
  return out;
}

TEST(Routes, EachHasAnAnswerWithItsStatus) {
  Desk desk;
  desk.page = {.script = "script", .style = "style"};
  desk.callbacks.series = [](const SeriesQuery&) { return base::Result<std::string>("{}"); };
  std::set<std::string_view> paths;
  for (const auto& route : routes()) {
    EXPECT_TRUE(paths.insert(route.rules.path).second) << route.rules.path;
    EXPECT_FALSE(route.rules.help.empty()) << route.rules.path;
    const std::string path(route.rules.path);
    const auto asked = path + (route.rules.is_prefix      ? "F1"
                               : path.ends_with("series") ? "?channel=a"
                                                          : "");
    if (route.rules.changes) {
      EXPECT_EQ(desk.get(path).status, 405) << path;
      EXPECT_EQ(desk.get(path).allow, "POST") << path;
      EXPECT_EQ(desk.post(path, "text").status, 403) << path;  // TCP
    } else {
      EXPECT_EQ(desk.get(asked).status, 200) << path;
      EXPECT_EQ(desk.post(path, "").allow, "GET, HEAD") << path;
    }
  }
}

TEST(Routes, NothingElseIsThere) {
  const Desk desk;
  for (const char* path :
       {"/x", "/-/", "/metrics/", "/..", "/../etc/passwd", "/api/v1/../../-/ready", "//",
        "/api/v1/findings/", "/api/v1/findings/../status", "/%2e%2e/metrics", "/METRICS"}) {
    EXPECT_EQ(desk.get(path).status, 404) << path;
  }
}

TEST(Routes, AForeignHostLearnsOnlyWhetherTheAgentLives) {
  const Desk desk;
  for (const auto& route : routes()) {
    const auto response = desk.get(std::string(route.rules.path), "evil.example");
    EXPECT_EQ(response.status, route.rules.for_all ? 200 : 421) << route.rules.path;
  }
  EXPECT_EQ(desk.get("/nothing", "evil.example").status, 421);
  EXPECT_EQ(desk.get("/metrics", "").status, 421);
  EXPECT_EQ(desk.get("/metrics", "N017:7383").status, 200);
  EXPECT_EQ(desk.get("/-/healthy", "evil.example").body, "ok\n");
  Desk socket;
  socket.caller = {.over_socket = true};
  EXPECT_EQ(socket.get("/metrics", "anything").status, 200);
}

TEST(Routes, AnOperatorChangesWhatAViewerMayNot) {
  Desk desk;
  desk.callbacks.pin = [](const std::string&, const Caller& caller) {
    return base::Result<std::string>("kept for " + caller.who.name);
  };
  desk.caller.is_asked = true;
  desk.caller.who = {.name = "ann", .role = access::Role::kViewer};
  EXPECT_EQ(desk.post("/-/pin", "").status, 403);
  EXPECT_EQ(desk.get("/metrics").status, 200);
  desk.caller.who.role = access::Role::kOperator;
  EXPECT_THAT(desk.post("/-/pin", "").body, HasSubstr("kept for ann"));
}

TEST(Routes, APageOfAnotherSiteChangesNothing) {
  Desk desk;
  desk.callbacks.pin = [](const std::string&, const Caller&) {
    return base::Result<std::string>("kept");
  };
  desk.caller.who = {.name = "ann", .role = access::Role::kOperator};
  const auto status_of = [&](const char* origin) {
    return desk
        .ask({.method = Method::kPost, .target = {"/-/pin"}, .host = "localhost", .origin = origin})
        .status;
  };
  EXPECT_EQ(status_of(""), 200);
  EXPECT_EQ(status_of("http://localhost"), 200);
  EXPECT_EQ(status_of("http://localhost:3000"), 403);
  EXPECT_EQ(status_of("https://n017:7383"), 403);
  EXPECT_EQ(status_of("https://evil.example"), 403);
  EXPECT_EQ(status_of("null"), 403);
  EXPECT_EQ(status_of("n017"), 403);
}

TEST(Routes, TheCertificateSaysMoreNames) {
  Desk desk;
  EXPECT_EQ(desk.get("/metrics", "n017.example.org").status, 421);
  desk.certificate_names = {"*.example.org"};
  EXPECT_EQ(desk.get("/metrics", "n017.example.org").status, 200);
}

TEST(Routes, OnlyWhatSaysNothingIsForAll) {
  for (const auto& route : routes()) {
    EXPECT_EQ(http::is_for_all(routes(),
                               {.method = Method::kGet, .target = {std::string(route.rules.path)}}),
              route.rules.path == "/-/healthy" || route.rules.path == "/-/ready")
        << route.rules.path;
  }
  EXPECT_FALSE(http::is_for_all(routes(), {.method = Method::kGet, .target = {"/nothing"}}));
}

TEST(Routes, HealthyFailsOnlyWithoutTicks) {
  Desk desk;
  desk.state.state = RunState::kDegraded;
  desk.state.storage.ready = false;
  desk.tick_age = seconds(30);
  EXPECT_EQ(desk.get("/-/healthy").status, 200);
  EXPECT_EQ(desk.get("/-/ready").status, 503);
  desk.tick_age = seconds(31);
  EXPECT_EQ(desk.get("/-/healthy").status, 503);
  EXPECT_EQ(desk.get("/-/healthy").body, "no tick for 31 s\n");
  desk.state.storage.ready = true;
  EXPECT_EQ(desk.get("/-/ready").status, 200);
}

TEST(Routes, WhatChangesSomethingIsHandedOver) {
  Desk desk;
  desk.caller = {.over_socket = true, .user = 1000};
  EXPECT_EQ(desk.post("/-/reload", "").status, 501);  // nobody takes it
  std::string got;
  desk.callbacks.mark = [&](const std::string& text, const Caller& caller) {
    got = text + " by " + std::to_string(caller.user);
    return base::Result<std::string>("noted");
  };
  desk.callbacks.reload = [](const std::string&, const Caller&) -> base::Result<std::string> {
    return base::fail(base::ErrorKind::kUsage, "unknown key 'x'", "reveal.toml:7");
  };
  const auto noted = desk.post("/-/mark", " job-start 7\r\n");
  EXPECT_EQ(noted.status, 200);
  EXPECT_EQ(noted.body, "{\"status\":200,\"told\":\"noted\"}\n");
  EXPECT_EQ(got, "job-start 7 by 1000");
  EXPECT_EQ(desk.post("/-/mark", " \n").status, 400);
  EXPECT_EQ(desk.post("/-/mark", std::string(kMostMarkBytes, 'a')).status, 200);
  EXPECT_EQ(desk.post("/-/mark", std::string(kMostMarkBytes + 1, 'a')).status, 413);
  const auto reload = desk.post("/-/reload", "");
  EXPECT_EQ(reload.status, 400);
  EXPECT_THAT(reload.body, HasSubstr("reveal.toml:7: unknown key 'x'"));
}

TEST(Routes, MetricsComeInBothFormatsAndByGroup) {
  const Desk desk;
  EXPECT_EQ(desk.get("/metrics").type, media_type(Exposition::kText));
  const auto open = desk.ask({.method = Method::kGet,
                              .target = {"/metrics"},
                              .host = "localhost",
                              .accept = "application/openmetrics-text"});
  EXPECT_EQ(open.type, media_type(Exposition::kOpenMetrics));
  EXPECT_TRUE(open.body.ends_with("# EOF\n"));
  const auto sources = desk.get("/metrics?collect[]=sources").body;
  EXPECT_THAT(sources, HasSubstr("reveal_source_up{source=\"kmsg\"} 0\n"));
  EXPECT_THAT(sources, Not(HasSubstr("reveal_build_info")));
  EXPECT_THAT(desk.get("/metrics?exclude[]=process").body, Not(HasSubstr("process_open_fds")));
  EXPECT_EQ(desk.get("/metrics?collect[]=nope").status, 400);
}

TEST(Routes, TheEvidenceOfAFindingIsMadeLater) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/v1/findings/F1/recording").status, 501);
  desk.callbacks.evidence = [](const std::string& id) -> base::Result<std::string> {
    if (id == "F1") return "a tar";
    return base::fail(id.empty() ? base::ErrorKind::kAbsent : base::ErrorKind::kIo, "nothing");
  };
  const auto made = desk.get("/api/v1/findings/F1/recording").later();
  EXPECT_EQ(made.body, "a tar");
  EXPECT_EQ(made.type, "application/x-tar");
  EXPECT_EQ(desk.get("/api/v1/findings//recording").later().status, 404);
  EXPECT_EQ(desk.get("/api/v1/findings/F2/recording").later().status, 500);
}

TEST(Routes, TheExplanationOfAFindingIsMadeLater) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/v1/findings/F1/explanation").status, 501);
  desk.callbacks.explanation = [](const std::string& id) -> base::Result<std::string> {
    if (id == "F1") return "1  The samples of cpu_busy_ratio\n";
    return base::fail(id == "F2" ? base::ErrorKind::kTooLittle : base::ErrorKind::kCorrupt, "why");
  };
  const auto made = desk.get("/api/v1/findings/F1/explanation").later();
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.body, "1  The samples of cpu_busy_ratio\n");
  EXPECT_EQ(made.type, "text/plain; charset=utf-8");
  EXPECT_EQ(desk.get("/api/v1/findings/F2/explanation").later().status, 404);
  EXPECT_EQ(desk.get("/api/v1/findings/F3/explanation").later().status, 500);
}

TEST(Routes, WhatIsRecordedComesIfItIsAskedFor) {
  Desk desk;
  const auto asked = [&](const std::string& query) { return desk.get("/metrics" + query).body; };
  EXPECT_EQ(asked("?collect[]=channels"), "") << "nobody knows what is recorded";
  desk.callbacks.recorded = [](Exposition format) {
    return format == Exposition::kText ? "memory_dirty_bytes 1\n" : "open\n";
  };
  EXPECT_EQ(asked("?collect[]=channels"), "memory_dirty_bytes 1\n");
  EXPECT_THAT(asked("?collect[]=channels&collect[]=http"), HasSubstr("reveal_http_streams"));
  EXPECT_THAT(asked(""), Not(HasSubstr("memory_dirty_bytes")));
}

TEST(Routes, FindingsAreChosenAndPaged) {
  Desk desk;
  desk.state.findings.clear();
  for (std::size_t i = 0; i < 250; ++i) {
    desk.state.findings.push_back(made_finding(i, i % 2 == 1, "minor"));
  }
  const auto first = desk.get("/api/v1/findings");
  EXPECT_EQ(ids_of(first).size(), kMostFindings);
  EXPECT_EQ(ids_of(first).front(), "F249");
  // Page by page each comes once, also if new ones come meanwhile.
  std::set<std::string> seen;
  std::size_t told = 0;
  for (std::string next = "/api/v1/findings?open=true"; !next.empty();) {
    const auto page = desk.get(next);
    for (const auto& id : ids_of(page)) seen.insert(id);
    told += ids_of(page).size();
    const auto address = json::parse(page.body).at("next");
    next = address.is_null() ? "" : address.get<std::string>();
    desk.state.findings.push_back(made_finding(desk.state.findings.size() * 2 + 1, true, "minor"));
  }
  EXPECT_EQ(told, 125U);
  EXPECT_EQ(seen.size(), told);
  EXPECT_EQ(seen.count("F0"), 0U);
}

TEST(Routes, SinceHasWhatHadNotEnded) {
  Desk desk;  // F1 ended at 14:13:24.250, F2 is open
  EXPECT_EQ(ids_of(desk.get("/api/v1/findings?since=2026-09-21T14:13:24.250Z")),
            (std::vector<std::string>{"F2", "F1"}));
  EXPECT_EQ(ids_of(desk.get("/api/v1/findings?since=2026-09-21T14:13:24.251Z")),
            std::vector<std::string>{"F2"});
  EXPECT_EQ(ids_of(desk.get("/api/v1/findings?since=1790000004.251")),
            std::vector<std::string>{"F2"});
  EXPECT_EQ(ids_of(desk.get("/api/v1/findings?since=1790000004.251&open=false")),
            std::vector<std::string>{});
  for (const char* query : {"since=yesterday", "since=-5", "since=", "open=1", "before=1",
                            "before=:", "before=x:y", "limit=5"}) {
    EXPECT_EQ(desk.get(std::string("/api/v1/findings?") + query).status, 400) << query;
  }
}

TEST(Routes, APageOfLongFindingsIsBounded) {
  Desk desk;
  for (auto& finding : desk.state.findings) {
    finding.json = "{\"claim\":\"" + std::string(kMostFindingsBytes, 'a') + "\"}";
  }
  const auto page = desk.get("/api/v1/findings");
  EXPECT_EQ(ids_of(page), std::vector<std::string>{"F2"});
  const auto next = json::parse(page.body).at("next").get<std::string>();
  EXPECT_EQ(ids_of(desk.get(next)), std::vector<std::string>{"F1"});
}

TEST(Routes, AFindingHasItsOwnMembersAndItsTag) {
  Desk desk;
  desk.state.findings[0].json = " {} ";
  EXPECT_EQ(desk.get("/api/v1/findings/F1").body,
            "{\"id\":\"F1\",\"open\":false,\"revision\":2}\n");
  const auto found = desk.get("/api/v1/findings/F2");
  const auto finding = json::parse(found.body);
  EXPECT_EQ(finding.at("severity"), 12.5);
  EXPECT_EQ(finding.at("open"), true);
  Request again{.method = Method::kGet,
                .target = {"/api/v1/findings/F2"},
                .host = "localhost",
                .if_none_match = found.etag};
  EXPECT_EQ(desk.ask(again).status, 304);
  EXPECT_EQ(desk.ask(again).body, "");
  desk.state.findings[1].revision = 3;
  EXPECT_EQ(desk.ask(again).status, 200);
  EXPECT_EQ(desk.get("/api/v1/findings/F9").status, 404);
}

TEST(Routes, TheStatusIsWhatTheStateSays) {
  Desk desk;
  desk.tick_age = std::chrono::milliseconds(250);
  desk.state.host = "n\xff";
  const auto status = json::parse(desk.get("/api/v1/status").body);
  EXPECT_EQ(status.at("time"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(status.at("host"), "n\xef\xbf\xbd");
  EXPECT_EQ(status.at("state"), "judging");
  EXPECT_EQ(status.at("recorder").at("tick_age_seconds"), 0.25);
  EXPECT_EQ(status.at("recorder").at("fresh"), true);
  EXPECT_EQ(status.at("recorder").at("missed").at("late"), 3);
  EXPECT_EQ(status.at("findings").at("open"), 1);
  EXPECT_EQ(status.at("findings").at("open_by_severity").at("major"), 1);
  EXPECT_EQ(status.at("findings").at("named").at(0).at("id"), "F2");
  EXPECT_EQ(status.at("sources").at(1).at("why_not"), "needs CAP_SYSLOG");
  EXPECT_EQ(status.at("config").at("hash"), "f00d");
  EXPECT_EQ(status.at("windows").at("detectors").at(1),
            json({{"name", "pca_residual"}, {"label", "PCA residual"}}));
  desk.state = AgentState{};
  const auto begun = json::parse(desk.get("/api/v1/status").body);
  EXPECT_EQ(begun.at("recorder").at("fresh"), false);
  EXPECT_FALSE(begun.at("recorder").contains("ticks"));
  EXPECT_FALSE(begun.contains("channels"));
}

TEST(Routes, ThePageIsLiveIfItsFilesAreThere) {
  Desk desk;
  EXPECT_EQ(desk.get("/live.js").status, 404);
  EXPECT_THAT(desk.get("/").body, Not(HasSubstr("live.js")));
  desk.page = {.script = "let a;", .style = "a{}"};
  EXPECT_EQ(desk.get("/live.js").body, "let a;");
  EXPECT_EQ(desk.get("/live.js").type, "text/javascript; charset=utf-8");
  EXPECT_EQ(desk.get("/live.css").body, "a{}");
  EXPECT_FALSE(desk.get("/live.css").etag.empty());
  const auto page = desk.get("/").body;
  EXPECT_THAT(page, HasSubstr("<script src=\"live.js\" defer></script>"));
  EXPECT_THAT(page, HasSubstr("<noscript>\n<h1>Reveal on n017</h1>"));
}

TEST(Routes, WhatThePageShowsBesidesTheState) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/v1/windows").body,
            "{\"stretch_seconds\":0,\"subsystems\":[],\"stretches\":[]}\n");
  Past past{.stretch_ns = 10'000'000'000, .subsystems = {"cpu", "gpu"}};
  past.stretches = {{.begin_wall_ns = 20'500'000'000, .strength = 0.12345, .shares = {0.75, 0.25}}};
  desk.state.past = std::make_shared<const Past>(past);
  EXPECT_EQ(desk.get("/api/v1/windows").body,
            "{\"stretch_seconds\":10.0,\"subsystems\":[\"cpu\",\"gpu\"],"
            "\"stretches\":[[20.5,0.123,0.75,0.25]]}\n");
  desk.state.channel_names = std::make_shared<const std::vector<ChannelName>>(
      std::vector<ChannelName>{{"a{cpu=1}", "a", "cpu=1", "A", "cpu", "ratio"}});
  EXPECT_EQ(json::parse(desk.get("/api/v1/channels").body).at("channels").at(0).at("unit"),
            "ratio");
  const auto tag = desk.get("/api/v1/channels").etag;
  EXPECT_EQ(tag, etag_of(desk.get("/api/v1/channels").body));
  const auto again = desk.ask({.method = Method::kGet,
                               .target = parse_target("/api/v1/channels").value(),
                               .host = "localhost",
                               .if_none_match = tag});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  desk.state.users = {{"CPU time", "ratio", {{"/job", "c", 0.5}}}};
  const auto users = json::parse(desk.get("/api/v1/users").body).at("users");
  EXPECT_EQ(users.at(0).at("users").at(0).at("amount"), 0.5);
}

TEST(Routes, SeriesAreMadeLater) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/v1/series?channel=a").status, 501);
  desk.callbacks.series = [](const SeriesQuery& query) -> base::Result<std::string> {
    if (query.channels[0] == "a") return "{}";
    const auto kind = query.channels[0] == "b" ? base::ErrorKind::kBusy : base::ErrorKind::kUsage;
    return base::fail(kind, "no");
  };
  EXPECT_EQ(desk.get("/api/v1/series").status, 400);
  EXPECT_EQ(desk.get("/api/v1/series?channel=a").later().body, "{}");
  EXPECT_EQ(desk.get("/api/v1/series?channel=b").later().status, 503);
  EXPECT_EQ(desk.get("/api/v1/series?channel=c").later().status, 400);
}

TEST(Routes, TextFromElsewhereIsInertOnThePage) {
  Desk desk;
  desk.state.host = "<script>alert(1)</script>";
  desk.state.reason = "a & \"b\"\x1b[31m";
  desk.state.findings[1].claim = "<img src=x onerror='x'>";
  desk.state.findings[1].id = "\"><b>";
  const auto page = desk.get("/").body;
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=&#39;x&#39;&gt;"));
  EXPECT_THAT(page, HasSubstr("judging: a &amp; &quot;b&quot;?[31m, since"));
  desk.state.findings[1].open = false;
  EXPECT_THAT(desk.get("/").body, HasSubstr("No finding is open."));
}

}  // namespace
}  // namespace reveal::serve
