#include "tables/report_slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::tables {
namespace {

using report::SavedFinding;
using report::SavedReport;

SavedFinding finding(model::Subsystem subsystem, std::int64_t begin_ns, std::int64_t end_ns) {
  SavedFinding out;
  out.claim = "it is slow";
  out.subsystem = subsystem;
  out.subsystem_shares = {1, 0, 0, 0, 0};
  out.begin_ns = begin_ns;
  out.end_ns = end_ns;
  out.first_window = 4;
  out.last_window = 6;
  out.detectors = {"zscore", "forest"};
  out.agreement = 2;
  out.evidence = {{"cpu_a{cpu=0}", "mean", "ratio", 0.5, std::nullopt}};
  return out;
}

// Windows of 3 s, one a second, of which number 2 was skipped.
SavedReport report() {
  SavedReport out;
  out.window_ns = 3'000'000'000;
  out.findings = {finding(model::Subsystem::kStorage, 4'000'000'000, 9'000'000'000),
                  finding(model::Subsystem::kCpu, 20, 30),
                  finding(model::Subsystem::kStorage, 11'000'000'000, 12'000'000'000)};
  out.detectors = {{"zscore", "Z-score", 2.5, {}, {}}, {"forest", "Forest", std::nullopt, {}, {}}};
  for (std::uint64_t id = 0; id < 20; ++id) {
    if (id == 2) continue;
    if (id % 4 == 1 || id == 0 || id == 4 || id == 6) {
      if (id != 1) out.detectors[0].flagged.push_back(out.windows.size());
    }
    out.windows.push_back({id, 1'000'000'000 * static_cast<std::int64_t>(id)});
    for (auto& detector : out.detectors) {
      detector.scores.emplace_back(id == 5 ? 9.5 : 0.25 * static_cast<double>(id));
    }
  }
  return out;
}

TEST(ReportSlices, AreTheFindingsByRow) {
  const auto slices = report_slices(report());
  ASSERT_GE(slices.size(), 3u);
  EXPECT_EQ(slices[0].row, "findings: cpu");
  EXPECT_EQ(slices[1].row, "findings: storage");
  EXPECT_EQ(slices[2].row, "findings: storage");
  EXPECT_EQ(slices[1].name, "it is slow");
  EXPECT_EQ(slices[1].begin_ns, 4'000'000'000);
  EXPECT_EQ(slices[1].end_ns, 9'000'000'000);
  EXPECT_EQ(slices[2].begin_ns, 11'000'000'000);
  EXPECT_EQ(
      slices[0].args,
      R"({"subsystem":"cpu","agreement":2,"detectors":["zscore","forest"],)"
      R"("subsystem_shares":{"cpu":1.0,"gpu":0.0,"memory":0.0,"network":0.0,"storage":0.0,"unknown":0.0},)"
      R"("first_window":4,"last_window":6,)"
      R"("evidence":[{"metric":"cpu_a{cpu=0}","feature":"mean","observed":0.5,)"
      R"("usual":null,"unit":"ratio"}]})");
}

TEST(ReportSlices, JoinFlaggedWindowsThatOverlapOrTouch) {
  auto slices = report_slices(report());
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

}  // namespace
}  // namespace reveal::tables
