#include "report/saved_report.h"

#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/testing/saved_report_text.h"

namespace reveal::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json sound() {
  json finding = saved_finding(2'000, 5'000);
  finding["subsystem"] = "storage";
  finding["claim_channel"] = "storage_a{dev=sda}";
  finding["severity"] = 4.5;
  finding["who"] = "Who: /noisy did.";
  finding["who_process"] = "Process: dd (pid 42) did.";
  finding["suffered"] = "";
  finding["work"] = "Work: the job ran at 66 %.";
  finding["evidence"] = json::array({saved_evidence("storage_a{dev=sda}")});
  return saved_report({finding, saved_finding(7, 7)});
}

std::string why_refused(const json& report) {
  const auto read = parse_report(report.dump(), "d/report.json");
  EXPECT_FALSE(read) << report;
  if (read) return {};
  EXPECT_EQ(read.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_EQ(read.error().where, "d/report.json");
  EXPECT_THAT(read.error().remedy, HasSubstr("analyze the recording again"));
  return read.error().what;
}

TEST(SavedReport, IsWhatWasWritten) {
  const auto read = parse_report(sound().dump(2), "r");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->host, "node7");
  EXPECT_EQ(read->begin_ns, 1'000);
  EXPECT_EQ(read->interval_ns, 100);
  EXPECT_EQ(read->window_ns, 3'000);
  ASSERT_EQ(read->findings.size(), 2U);
  const auto& finding = read->findings.front();
  EXPECT_EQ(finding.claim, "it is slow");
  EXPECT_EQ(finding.claim_channel, "storage_a{dev=sda}");
  EXPECT_EQ(finding.subsystem, model::Subsystem::kStorage);
  EXPECT_THAT(finding.subsystem_shares, ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_EQ(finding.begin_ns, 2'000);
  EXPECT_EQ(finding.end_ns, 5'000);
  EXPECT_EQ(finding.first_window, 4U);
  EXPECT_EQ(finding.last_window, 6U);
  EXPECT_THAT(finding.detectors, ElementsAre("zscore", "forest"));
  EXPECT_EQ(finding.agreement, 2U);
  EXPECT_EQ(finding.severity, 4.5);
  EXPECT_THAT(finding.harm, ElementsAre("Who: /noisy did.", "Process: dd (pid 42) did.",
                                        "Work: the job ran at 66 %."));
  EXPECT_EQ(read->findings[1].severity, std::nullopt);
  ASSERT_EQ(finding.evidence.size(), 1U);
  EXPECT_EQ(finding.evidence[0].unit, "ratio");
  EXPECT_EQ(finding.evidence[0].observed, 0.5);
  EXPECT_EQ(finding.evidence[0].baseline_median, std::nullopt);
  ASSERT_EQ(read->detectors.size(), 1U);
  EXPECT_EQ(read->detectors[0].label, "Z-score");
  EXPECT_THAT(read->detectors[0].scores, ElementsAre(0.5, std::nullopt, 9));
  EXPECT_THAT(read->detectors[0].flagged, ElementsAre(1, 2));
  EXPECT_EQ(read->windows[2].id, 6U);
  EXPECT_EQ(read->windows[2].begin_ns, 3'000);
}

TEST(SavedReport, AFindingMayBeOfNoSubsystemThatIsKnown) {
  json finding = saved_finding(2'000, 5'000);
  finding["subsystem"] = "unknown";
  finding["subsystem_shares"]["cpu"] = 0.25;
  finding["subsystem_shares"]["unknown"] = 0.75;
  const auto read = parse_report(saved_report(json::array({finding})).dump(), "r");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->findings[0].subsystem, model::Subsystem::kUnknown);
  EXPECT_THAT(read->findings[0].subsystem_shares, ElementsAre(0.25, 0, 0, 0, 0, 0.75));
}

TEST(SavedReport, MembersThatItDoesNotKnowAreLeftOut) {
  json report = sound();
  report["new"] = {{"deep", json::array({1, 2})}};
  report["findings"][0]["mood"] = "bad";
  EXPECT_TRUE(parse_report(report.dump(), "r"));
}

TEST(SavedReport, OneThatIsCutOffAnywhereIsRefused) {
  const std::string text = sound().dump();
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_report(std::string_view(text).substr(0, length), "r")) << length;
  }
}

TEST(SavedReport, WhatIsNotAReportIsRefused) {
  for (const std::string text : {"[]", "{}", "7", R"({"findings": []})", "\"\xFF\"",
                                 R"({"schema": "reveal.selection", "findings": []})"}) {
    const auto read = parse_report(text, "r.json");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message(), HasSubstr("r.json: is not a report of Reveal")) << text;
  }
}

TEST(SavedReport, AnotherSchemaVersionIsNamed) {
  json report = sound();
  report["schema_version"] = kSchemaVersion + 1;
  EXPECT_EQ(why_refused(report), fmt::format("has schema version {}; this reveal reads version {}",
                                             kSchemaVersion + 1, kSchemaVersion));
  report["schema_version"] = "2";
  EXPECT_EQ(why_refused(report), "has no schema version");
  report.erase("schema_version");
  EXPECT_EQ(why_refused(report), "has no schema version");
}

TEST(SavedReport, WhatIsMissingIsNamedWithItsPlace) {
  const json report = sound();
  std::vector<json::json_pointer> places;
  const json flat = report.flatten();
  for (const auto& [path, value] : flat.items()) places.emplace_back(path);
  const std::set<std::string> may_lack{"who", "who_process", "suffered", "work"};
  std::size_t refused = 0;
  for (auto place : places) {
    if (place.back() == "utc") continue;  // for people
    while (place.back().find_first_not_of("0123456789") == std::string::npos) {
      place = place.parent_pointer();
    }
    json broken = report;
    broken.at(place.parent_pointer()).erase(place.back());
    if (place.back() == "schema") continue;
    if (may_lack.contains(place.back())) continue;
    EXPECT_THAT(why_refused(broken),
                testing::AnyOf(HasSubstr(place.back() + " is missing"), "has no schema version"))
        << place;
    ++refused;
  }
  EXPECT_GT(refused, 30U);
  json broken = report;
  broken["findings"][1].erase("claim");
  EXPECT_EQ(why_refused(broken),
            "is not laid out as a report of Reveal: findings[1].claim is missing");
}

TEST(SavedReport, WhatIsOfAnotherTypeIsNamedWithItsPlace) {
  const auto with = [](const char* path, const json& value) {
    json out = sound();
    out.at(json::json_pointer(path)) = value;
    return why_refused(out);
  };
  EXPECT_THAT(with("/findings", 7), HasSubstr("findings is not a list"));
  EXPECT_THAT(with("/findings/1", 7), HasSubstr("findings[1] is not an object"));
  EXPECT_THAT(with("/findings/0/subsystem", "soul"), HasSubstr(".subsystem is not a subsystem"));
  EXPECT_THAT(with("/findings/0/begin", 5), HasSubstr("findings[0].begin is not an object"));
  for (const json& ns : {json(5.5), json("5"), json(nullptr), json(9223372036854775807),
                         json(18446744073709551615U), json(-9223372036854775807)}) {
    EXPECT_THAT(with("/findings/0/begin/ns", ns), HasSubstr("findings[0].begin.ns is not a whole"));
  }
  EXPECT_THAT(with("/findings/0/end/ns", 1'999), HasSubstr("findings[0].end is before the begin"));
  EXPECT_THAT(with("/findings/0/agreement", -1), HasSubstr("findings[0].agreement is not a whole"));
  EXPECT_THAT(with("/findings/0/severity", "high"), HasSubstr("severity is neither a number nor"));
  EXPECT_THAT(with("/findings/0/detectors/1", 7),
              HasSubstr("findings[0].detectors[1] is not a string"));
  EXPECT_THAT(with("/detectors/0/windows_flagged", {7}),
              HasSubstr("names a window that the repor"));
  EXPECT_THAT(with("/detectors/0/scores", {1}), HasSubstr("has not one score for each window"));
  EXPECT_THAT(with("/windows/id", {4, 5}), HasSubstr("windows.id is not as long as"));
  EXPECT_THAT(with("/windows/id", {4, 6, 5}), HasSubstr("windows.id does not rise"));
}

TEST(SavedReport, OneWithoutEndInDepthIsRefused) {
  EXPECT_FALSE(parse_report(std::string(1'000'000, '['), "r"));
  std::string text = sound().dump();
  text.back() = ',';
  text += R"("deep": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_FALSE(parse_report(text, "r"));
}

TEST(SavedReport, OneThatIsNotThereIsAbsent) {
  const auto read = load_report("/nonexistent/report.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, base::ErrorKind::kAbsent);
  EXPECT_FALSE(load_report("/dev/zero"));
}

}  // namespace
}  // namespace reveal::report
