#include "study/result_text.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/result_json.h"
#include "study/study.h"

namespace reveal::study {
namespace {

using testing::HasSubstr;

Result made() {
  Result out;
  out.study = "made";
  out.runs.push_back({"r1", "node7", 0, 10'000'000'000});
  out.tables.push_back({.name = "things",
                        .title = "Things",
                        .columns = {{"thing", "thing", ""}, {"share", "share of all", "ratio"}},
                        .rows = {{std::string("a"), 0.25}, {std::string("longer"), std::nan("")}},
                        .shown = 1});
  out.tables.push_back(
      {.name = "hidden", .title = "Hidden", .columns = {}, .rows = {}, .shown = 0});
  out.notes.emplace_back("A note.");
  return out;
}

TEST(ResultText, ColumnsAreAlignedAndRowsAreCut) {
  EXPECT_EQ(to_text(made()),
            "Reveal study: made\n"
            "r1 on node7: 1970-01-01, 00:00:00.0 to 00:00:10.0 UTC (10.0 s)\n"
            "\n"
            "Things\n"
            "  thing  share of all\n"
            "  a              25 %\n"
            "  and 1 more (--json)\n"
            "\n"
            "A note.\n");
}

TEST(ResultText, WhatIsUndefinedIsADash) {
  auto result = made();
  result.tables[0].shown = 2;
  EXPECT_THAT(to_text(result), HasSubstr("\n  longer             -\n"));
}

TEST(ResultJson, HasAllRowsAndNullForWhatIsUndefined) {
  const auto json = to_json(made());
  EXPECT_THAT(json, HasSubstr("\"thing\": \"longer\",\n        \"share\": null"));
  EXPECT_THAT(json, HasSubstr("\"hidden\": []"));
}

TEST(Summary, LeavesOutWhatIsUndefined) {
  const auto of = summary({1, std::nan(""), 4, 7, 0});
  EXPECT_EQ(of.count, 4U);
  EXPECT_EQ(of.mean, 3);
  EXPECT_EQ(of.median, 2.5);
  EXPECT_DOUBLE_EQ(of.deviation, std::sqrt((4.0 + 1 + 16 + 9) / 4));
  EXPECT_TRUE(std::isnan(summary({}).mean));
}

TEST(Registry, NamesAreUnique) {
  for (const auto& study : studies()) EXPECT_EQ(find(study.name), &study);
  EXPECT_EQ(find("none"), nullptr);
}

}  // namespace
}  // namespace reveal::study
