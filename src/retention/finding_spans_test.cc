#include "retention/finding_spans.h"

#include <gtest/gtest.h>

namespace reveal::retention {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

report::SavedFinding finding(std::int64_t begin_ns, std::int64_t end_ns) {
  report::SavedFinding out;
  out.begin_ns = begin_ns;
  out.end_ns = end_ns;
  return out;
}

TEST(FindingSpans, AreThoseOfTheFindingsWithHalfAMinuteAroundThem) {
  report::SavedReport report;
  EXPECT_TRUE(finding_spans(report).empty());
  report.findings = {finding(100 * kSecond, 103 * kSecond), finding(1, 1)};
  EXPECT_EQ(finding_spans(report), (std::vector<WallSpan>{{70 * kSecond, 133 * kSecond},
                                                          {1 - 30 * kSecond, 1 + 30 * kSecond}}));
}

TEST(FindingSpans, AReportThatIsNotThereIsNoReportWithoutFindings) {
  const auto spans = load_finding_spans({"/nonexistent/report.json"});
  ASSERT_FALSE(spans);
  EXPECT_EQ(spans.error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::retention
