#include "page/page.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "page/codes.h"
#include "page/testing/decoder.h"
#include "page/testing/test_frames.h"
#include "report/testing/saved_report_text.h"
#include "text/base64.h"

namespace reveal::page {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// A report with a finding, seconds after the begin, for each row.
struct Planted {
  int from_s;
  int to_s;
  int agreement;
  std::vector<std::string> channels;
};

std::string report_json(const std::vector<Planted>& planted, const std::string& host = "node7") {
  json findings = json::array();
  const auto time_ns = [](int second) { return Frames::kBegin_ns + second * kSecond_ns; };
  for (const auto& row : planted) {
    json finding = report::saved_finding(time_ns(row.from_s), time_ns(row.to_s));
    finding["agreement"] = row.agreement;
    for (const auto& channel : row.channels) {
      finding["evidence"].push_back(report::saved_evidence(channel));
    }
    findings.push_back(finding);
  }
  json out = report::saved_report(findings);
  out["host"]["name"] = host;
  out["run"] = {{"begin", {{"ns", time_ns(0)}}}, {"interval_ns", Frames::kInterval_ns}};
  return out.dump(2);
}

// Returns the data of a run of these ticks: channel 0 is noise, 1 constant, 2 a slow wave.
HostPart part_of(const std::string& report, std::uint64_t ticks, const Budget& budget) {
  const auto text = read_report(report, "report.json");
  EXPECT_TRUE(text);
  HostReplay replayed{{}, RawSpans(text->evidence), nullptr, {}};
  Frames frames({&replayed.envelopes, &replayed.raw_spans});
  base::Rng rng(3);
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    const auto noise = static_cast<double>(rng.next() % 65535);
    frames.write(tick, {tick == 0   ? 0.0
                        : tick == 1 ? 65534.0
                                    : noise,
                        2.5, std::sin(static_cast<double>(tick) / 500)});
  }
  frames.finish();
  replayed.channels = &frames.channels;
  replayed.kinds = {model::Kind::kCounter, model::Kind::kGauge, std::nullopt};
  return host_part(*text, replayed, budget);
}

// At 100 ms a tick, a second and ten steps are 20 ticks.
TEST(HostPart, SaysWhichChannelsCameLateOrFellSilent) {
  const auto text = read_report(report_json({}), "report.json");
  ASSERT_TRUE(text);
  HostReplay replayed{{}, RawSpans(text->evidence), nullptr, {}};
  Frames frames({&replayed.envelopes, &replayed.raw_spans});
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t tick = 0; tick < 100; ++tick) {
    const auto value = static_cast<double>(tick);
    frames.write(tick, {tick < 20 ? none : value, tick < 21 ? none : value,
                        tick > 79 ? none : value, tick > 78 ? none : value});
  }
  frames.finish();
  replayed.channels = &frames.channels;
  replayed.kinds.assign(4, std::nullopt);
  const auto channels =
      json::parse(host_part(*text, replayed, budget_of_each(1)).index)["channels"];
  for (const std::size_t ordinary : {0U, 2U}) {
    EXPECT_FALSE(channels[ordinary].contains("since")) << ordinary;
    EXPECT_FALSE(channels[ordinary].contains("until")) << ordinary;
  }
  EXPECT_EQ(channels[1]["since"], 21);
  EXPECT_EQ(channels[3]["until"], 78);
}

TEST(HostPart, SaysWhatTheChannelsAre) {
  const auto part = part_of(report_json({}), 100, budget_of_each(1));
  const auto index = json::parse(part.index);
  EXPECT_EQ(index["version"], 1);
  EXPECT_EQ(index["host"], "node7");
  EXPECT_EQ(index["begin_ns"], "1700000000000000000");
  EXPECT_EQ(index["ticks"], 100);
  EXPECT_EQ(index["buckets"], 100);
  EXPECT_EQ(index["bits"], 16);
  ASSERT_EQ(index["channels"].size(), 3U);
  EXPECT_EQ(index["channels"][0]["name"], "load{i=0}");
  EXPECT_EQ(index["channels"][0]["kind"], "counter");
  EXPECT_EQ(index["channels"][1]["constant"], 2.5);
  EXPECT_FALSE(index["channels"][1].contains("pyramid"));
  EXPECT_FALSE(index["channels"][2].contains("kind"));
}

TEST(HostPart, CodesGiveTheSamplesBack) {
  const auto part = part_of(report_json({}), 1000, budget_of_each(1));
  const auto channel = json::parse(part.index)["channels"][0];
  const auto series =
      decoded(part.blobs.substr(channel["pyramid"][0], channel["pyramid"][1]), 1000, 16);
  ASSERT_EQ(series.size(), 3U);
  base::Rng rng(3);
  for (std::size_t tick = 0; tick < 1000; ++tick) {
    const auto noise = static_cast<unsigned>(rng.next() % 65535);
    const unsigned expected = 1 + (tick == 0 ? 0 : tick == 1 ? 65534 : noise);
    EXPECT_EQ(series[0][tick], expected);
    EXPECT_EQ(series[1][tick], expected);
    EXPECT_EQ(series[2][tick], expected);
  }
}

TEST(HostPart, DetailsAreAMinuteAroundFindingsAndJoined) {
  const auto report = report_json({{200, 210, 2, {"load{i=0}", "load{i=0}", "load{i=9}"}},
                                   {300, 310, 3, {"load{i=0}"}},
                                   {20, 25, 2, {"load{i=2}"}},
                                   {590, 620, 2, {"load{i=2}"}}});
  const auto index = json::parse(part_of(report, 6000, budget_of_each(1)).index);
  ASSERT_EQ(index["raw_spans"].size(), 3U);
  EXPECT_EQ(index["raw_spans"][0]["channel"], 0);  // of three detectors, with what it touches
  EXPECT_EQ(index["raw_spans"][0]["first_tick"], 1400);
  EXPECT_EQ(index["raw_spans"][0]["count"], 2301);
  EXPECT_EQ(index["raw_spans"][1]["first_tick"], 5300);  // the longer of both
  EXPECT_EQ(index["raw_spans"][1]["count"], 700);        // up to the last frame
  EXPECT_EQ(index["raw_spans"][2]["first_tick"], 0);
  EXPECT_EQ(index["raw_spans"][2]["count"], 851);
}

TEST(HostPart, DetailsHoldEveryTickWithSixteenBits) {
  const auto part = part_of(report_json({{0, 1, 2, {"load{i=0}"}}}), 400, {100'000, 1, 50'000});
  const auto index = json::parse(part.index);
  EXPECT_EQ(index["bits"], 8);
  const auto raw_span = index["raw_spans"][0];
  const auto series = decoded(part.blobs.substr(raw_span["data"][0], raw_span["data"][1]), 400, 16);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0][0], 1U);
  EXPECT_EQ(series[0][1], 65535U);
}

TEST(HostPart, KeepsWithinTheBudget) {
  // Noise: 16 bits of 750 buckets, means included, take far more than 6 kB.
  for (const auto& [budget, bits, buckets] :
       {std::tuple<Budget, int, int>{{1'000'000, 20'000, 1}, 16, 750},
        {{1'000'000, 5'500, 1}, 8, 750},
        {{1'000'000, 3'000, 1}, 8, 375},
        {{1'000'000, 10, 1}, 8, 188},
        {{0, 6'000, 3'000}, 8, 188}}) {
    const auto part = part_of(report_json({}), 6000, budget);
    const auto index = json::parse(part.index);
    EXPECT_EQ(index["bits"], bits) << budget.pyramids;
    EXPECT_EQ(index["buckets"], buckets) << budget.pyramids;
    EXPECT_EQ(index["bucket_ticks"], 8 * 750 / (buckets == 188 ? 187 : buckets));
    if (buckets > 188) {
      EXPECT_LE(text::base64_length(part.blobs.size()), budget.pyramids);
    }
  }
}

TEST(ReportText, ShowsTheClaimsChannelBesideTheEvidence) {
  auto report = json::parse(report_json({{1, 2, 2, {"load{i=0}"}}}));
  report["findings"][0]["claim_channel"] = "load{i=1}";
  const auto text = read_report(report.dump(), "report.json");
  ASSERT_TRUE(text);
  ASSERT_EQ(text->evidence.size(), 2U);
  std::set<std::string> channels;
  for (const auto& span : text->evidence) channels.insert(span.channel);
  EXPECT_EQ(channels, (std::set<std::string>{"load{i=0}", "load{i=1}"}));
}

TEST(ReportText, IsTheSameJsonWithoutSpaces) {
  auto report = json::parse(report_json({{1, 2, 2, {"a \\\" b\n{i=0}\\"}}}));
  report["findings"][0]["claim"] = "a \t \"quoted\" word \\";
  const auto text = read_report(report.dump(2), "report.json");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->compact, report.dump());
}

TEST(ReportText, RefusesWhatIsNoReport) {
  for (const std::string text : {"", "{", "[]", "{}", R"({"schema":"other"})",
                                 R"({"schema":"reveal.report","host":{"name":7}})", "\"\xFF\""}) {
    const auto report = read_report(text, "r/report.json");
    ASSERT_FALSE(report) << text;
    EXPECT_THAT(report.error().message(), HasSubstr("r/report.json: "));
  }
}

TEST(ScriptSafe, NothingEndsAScript) {
  const std::string text =
      "</script><!--<script>\"quoted\" & \xE2\x80\xA8\xE2\x80\xA9 \xE2\x80\xA6";
  const std::string safe = script_safe(json(text).dump());
  EXPECT_THAT(safe, Not(HasSubstr("<")));
  EXPECT_THAT(safe, Not(HasSubstr("\xE2\x80\xA8")));
  EXPECT_THAT(safe, Not(HasSubstr("\xE2\x80\xA9")));
  EXPECT_THAT(safe, HasSubstr("\\u2028\\u2029"));
  EXPECT_EQ(json::parse(safe).get<std::string>(), text);
}

TEST(ScriptSafe, NoNameTurnsTheDirectionOfWriting) {
  const std::string safe =
      script_safe(json("a\u202Eb\u2066c\u200Fd\u061Ce \u2026 \u2070 \u05D0").dump());
  EXPECT_EQ(json::parse(safe).get<std::string>(),
            "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe \u2026 \u2070 \u05D0");
}

TEST(Page, HostileNamesStayText) {
  const std::string name = "</title></script><!--\"'&";
  const auto text = read_report(report_json({}, name), "report.json");
  ASSERT_TRUE(text);
  HostReplay replayed{{}, RawSpans({}), nullptr, {}};
  Frames frames({&replayed.envelopes});
  const std::string instance = "cg=</script>\xFF\xE2\x80\xA8" + std::string(10'000, 'x');
  frames.add(instance, "<!--");
  frames.write(0, {1});
  frames.write(1, {2});
  frames.finish();
  replayed.channels = &frames.channels;
  replayed.kinds = {std::nullopt};
  const std::vector<HostPart> hosts = {host_part(*text, replayed, budget_of_each(2)),
                                       host_part(*text, replayed, budget_of_each(2))};
  const auto index = json::parse(hosts[0].index);
  EXPECT_EQ(index["channels"][0]["instance"],
            "cg=</script>\xEF\xBF\xBD\xE2\x80\xA8" + std::string(10'000, 'x'));
  const std::string page = page_text(hosts);
  std::size_t ends = 0;
  for (auto at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1)) {
    ++ends;
  }
  EXPECT_EQ(ends, 2 * 3U + 1);  // no more than the page's own
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_THAT(page, HasSubstr("<title>Reveal: &lt;/title&gt;&lt;/script&gt;&lt;!--\"'&amp;, "));
  EXPECT_THAT(page, HasSubstr(R"(class="samples" data-host="1">)"));
}

TEST(Page, OfAReportAloneHasNoChannels) {
  const auto text = read_report(report_json({{1, 2, 2, {"load{i=0}"}}}), "report.json");
  ASSERT_TRUE(text);
  HostReplay replayed{{}, RawSpans(text->evidence), nullptr, {}};
  const auto index = json::parse(host_part(*text, replayed, budget_of_each(1)).index);
  EXPECT_EQ(index["host"], "node7");
  EXPECT_EQ(index["begin_ns"], "1700000000000000000");
  EXPECT_EQ(index["ticks"], 0);
  EXPECT_TRUE(index["channels"].empty());
}

}  // namespace
}  // namespace reveal::page
