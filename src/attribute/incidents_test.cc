#include "attribute/incidents.h"

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// A finding of windows of 3 s, from `begin` to `end` s.
Finding finding(std::int64_t begin, std::int64_t end) {
  Finding out;
  out.windows.resize(2);
  out.windows[0].span = {window::WindowId(1), begin * kSecond_ns, (begin + 3) * kSecond_ns, 0, 0};
  out.windows[1].span = {window::WindowId(2), (end - 3) * kSecond_ns, end * kSecond_ns, 0, 0};
  return out;
}

TEST(Incidents, FindingsNearOneAnotherAreOne) {
  std::vector<Finding> findings{finding(0, 10), finding(13, 22), finding(26, 33), finding(30, 40)};
  number_incidents(findings);
  EXPECT_EQ(findings[0].incident, 1u);
  EXPECT_EQ(findings[1].incident, 1u);  // 3 s behind
  EXPECT_EQ(findings[2].incident, 2u);  // 4 s behind
  EXPECT_EQ(findings[3].incident, 2u);
}

// Windows reach beyond what happened: those of the two overlap, and 4 s lie between them.
TEST(Incidents, EdgesTellHowFarApartFindingsAre) {
  std::vector<Finding> findings{finding(0, 12), finding(10, 20)};
  findings[0].end_edge = Edge{9 * kSecond_ns, 0};
  findings[1].begin_edge = Edge{13 * kSecond_ns, 0};
  number_incidents(findings);
  EXPECT_EQ(findings[1].incident, 2u);
}

TEST(Incidents, OneWithinAnotherIsOfTheSame) {
  std::vector<Finding> findings{finding(90, 200), finding(94, 99), finding(203, 210)};
  number_incidents(findings);
  for (const auto& one : findings) EXPECT_EQ(one.incident, 1u);
}

TEST(Incidents, TheOneThatBeganFirstIsTheFirst) {
  std::vector<Finding> findings{finding(0, 10), finding(4, 12)};
  findings[0].begin_edge = Edge{3 * kSecond_ns, 0};
  findings[1].begin_edge = Edge{2 * kSecond_ns, 0};
  number_incidents(findings);
  EXPECT_EQ(findings[0].incident_place, 2u);
  EXPECT_EQ(findings[1].incident_place, 1u);
}

TEST(Incidents, NumbersGoOnIfOldFindingsAreForgotten) {
  std::vector<Finding> findings{finding(0, 10), finding(100, 110), finding(200, 210)};
  number_incidents(findings);
  findings.erase(findings.begin());
  number_incidents(findings);
  EXPECT_EQ(findings[0].incident, 2u);
  EXPECT_EQ(findings[1].incident, 3u);
}

TEST(Incidents, AClockThatWasSetBackParts) {
  std::vector<Finding> findings{finding(1000, 1010), finding(20, 30)};
  number_incidents(findings);
  EXPECT_EQ(findings[1].incident, 2u);
  std::vector<Finding> none;
  number_incidents(none);
}

}  // namespace
}  // namespace reveal::attribute
