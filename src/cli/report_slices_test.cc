#include "cli/report_slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace reveal::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json finding(const char* subsystem, std::int64_t begin_ns, std::int64_t end_ns) {
  return {{"claim", "it is slow"},
          {"subsystem", subsystem},
          {"subsystem_shares", {{"cpu", 1.0}}},
          {"begin", {{"ns", begin_ns}, {"utc", "?"}}},
          {"end", {{"ns", end_ns}, {"utc", "?"}}},
          {"at_start", false},
          {"first_window", 4},
          {"last_window", 6},
          {"detectors", {"zscore", "forest"}},
          {"agreement", 2},
          {"evidence",
           {{{"channel", "cpu_a{cpu=0}"},
             {"feature", "mean"},
             {"subsystem", "cpu"},
             {"unit", "ratio"},
             {"observed", 0.5},
             {"baseline_median", nullptr},
             {"contribution", 1.0}}}},
          {"windows", json::array()}};
}

// Windows of 3 s, one a second, of which number 2 was skipped.
json report() {
  json ids = json::array();
  json begins = json::array();
  json scores = json::array();
  for (int id = 0; id < 20; ++id) {
    if (id == 2) continue;
    ids.push_back(id);
    begins.push_back(1'000'000'000LL * id);
    scores.push_back(id == 5 ? 9.5 : 0.25 * id);
  }
  return {{"schema", "reveal.report"},
          {"schema_version", 2},
          {"configuration", {{"window_ns", 3'000'000'000LL}, {"stride_ns", 1'000'000'000LL}}},
          {"findings",
           {finding("storage", 4'000'000'000, 9'000'000'000), finding("cpu", 20, 30),
            finding("storage", 11'000'000'000, 12'000'000'000)}},
          {"detectors",
           {{{"name", "zscore"},
             {"label", "Z-score"},
             {"contamination_limit", 2.5},
             {"windows_flagged", {0, 4, 5, 6, 9, 13, 17}},
             {"scores", scores}},
            {{"name", "forest"},
             {"label", "Forest"},
             {"contamination_limit", nullptr},
             {"windows_flagged", json::array()},
             {"scores", scores}}}},
          {"windows", {{"id", ids}, {"begin_ns", begins}}}};
}

std::vector<exchange::Slice> slices_of(const json& text) {
  const auto out = report_slices(text.dump(), "r.json");
  EXPECT_TRUE(out);
  return out.value_or(std::vector<exchange::Slice>());
}

TEST(ReportSlices, AreTheFindingsByRow) {
  const auto slices = slices_of(report());
  ASSERT_GE(slices.size(), 3u);
  EXPECT_EQ(slices[0].row, "findings: cpu");
  EXPECT_EQ(slices[1].row, "findings: storage");
  EXPECT_EQ(slices[2].row, "findings: storage");
  EXPECT_EQ(slices[1].name, "it is slow");
  EXPECT_EQ(slices[1].begin_ns, 4'000'000'000);
  EXPECT_EQ(slices[1].end_ns, 9'000'000'000);
  EXPECT_EQ(slices[2].begin_ns, 11'000'000'000);
  EXPECT_EQ(slices[0].args,
            R"({"subsystem":"cpu","agreement":2,"detectors":["zscore","forest"],)"
            R"("subsystem_shares":{"cpu":1.0},"first_window":4,"last_window":6,)"
            R"("evidence":[{"metric":"cpu_a{cpu=0}","feature":"mean","observed":0.5,)"
            R"("usual":null,"unit":"ratio"}]})");
}

TEST(ReportSlices, JoinFlaggedWindowsThatOverlapOrTouch) {
  auto slices = slices_of(report());
  ASSERT_EQ(slices.size(), 7u);
  slices.erase(slices.begin(), slices.begin() + 3);
  std::vector<std::string> names;
  for (const auto& slice : slices) {
    EXPECT_EQ(slice.row, "flagged by Z-score");
    names.push_back(slice.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("window 0", "windows 4-9", "window 13", "window 17"));
  EXPECT_EQ(slices[1].begin_ns, 4'000'000'000);
  EXPECT_EQ(slices[1].end_ns, 12'000'000'000);
  EXPECT_EQ(slices[1].args, R"({"detector":"zscore","windows":4,"first_window":4,"last_window":9,)"
                            R"("highest_score":9.5,"contamination_limit":2.5})");
  EXPECT_EQ(slices[0].end_ns, 3'000'000'000);
}

TEST(ReportSlices, WhatIsNoReportIsRefused) {
  const auto broken = [](const char* path) {
    json out = report();
    out.at(json::json_pointer(path).parent_pointer()).erase(json::json_pointer(path).back());
    return out.dump();
  };
  for (const auto* path : {"/schema", "/findings", "/findings/0/claim", "/findings/0/begin",
                           "/findings/0/evidence", "/detectors", "/detectors/0/label",
                           "/detectors/0/windows_flagged", "/windows/begin_ns", "/configuration"}) {
    const auto slices = report_slices(broken(path), "r.json");
    ASSERT_FALSE(slices) << path;
    EXPECT_THAT(slices.error().message(), HasSubstr("r.json: ")) << path;
    EXPECT_THAT(slices.error().remedy, HasSubstr("analyze the recording again")) << path;
  }
  json unknown = report();
  unknown["detectors"][0]["windows_flagged"] = {2};
  EXPECT_FALSE(report_slices(unknown.dump(), "r.json"));
  EXPECT_FALSE(report_slices("", "r.json"));
}

}  // namespace
}  // namespace reveal::cli
