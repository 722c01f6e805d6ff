#include "cli/finding_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::cli {
namespace {

using retention::WallSpan;
using testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;

std::string report(const std::string& findings) {
  return R"({"schema": "reveal.report", "schema_version": 3, "findings": )" + findings + "}";
}

TEST(FindingSpans, AreThoseOfTheFindingsWithHalfAMinuteAroundThem) {
  const auto spans =
      parse_finding_spans(report(R"([{"claim": "x", "begin": {"ns": 100000000000, "utc": "?"},
                               "end": {"ns": 103000000000, "utc": "?"}},
                 {"begin": {"ns": 1}, "end": {"ns": 1}}])"),
                          "r");
  ASSERT_TRUE(spans);
  EXPECT_EQ(*spans, (std::vector<WallSpan>{{70 * kSecond, 133 * kSecond},
                                           {1 - 30 * kSecond, 1 + 30 * kSecond}}));
  EXPECT_TRUE(parse_finding_spans(report("[]"), "r").value().empty());
}

TEST(FindingSpans, WhatIsNoReportIsNeverTakenForOneWithoutFindings) {
  const std::string sound = report(R"([{"begin": {"ns": 5}, "end": {"ns": 7}}])");
  ASSERT_TRUE(parse_finding_spans(sound, "r"));
  for (std::size_t length = 0; length < sound.size(); ++length) {
    EXPECT_FALSE(parse_finding_spans(sound.substr(0, length), "r")) << length;
  }
  for (const auto* text :
       {"[]", "{}", R"({"findings": []})", R"({"schema": "reveal.selection", "findings": []})",
        R"({"schema": "reveal.report"})"}) {
    EXPECT_FALSE(parse_finding_spans(text, "r")) << text;
  }
  for (const auto* findings :
       {"{}", "[1]", "[{}]", R"([{"begin": 5, "end": 7}])", R"([{"begin": {"ns": 5}}])",
        R"([{"begin": {"ns": 5.5}, "end": {"ns": 7}}])",
        R"([{"begin": {"ns": 7}, "end": {"ns": 5}}])",
        R"([{"begin": {"ns": 7}, "end": {"ns": 9223372036854775807}}])",
        R"([{"begin": {"ns": 7}, "end": {"ns": 18446744073709551615}}])"}) {
    const auto spans = parse_finding_spans(report(findings), "r.json");
    ASSERT_FALSE(spans) << findings;
    EXPECT_THAT(spans.error().message(), HasSubstr("r.json: ")) << findings;
    EXPECT_FALSE(spans.error().remedy.empty());
  }
  EXPECT_FALSE(load_finding_spans({"/nonexistent/report.json"}));
}

}  // namespace
}  // namespace reveal::cli
