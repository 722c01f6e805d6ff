// A digest of made findings and stretches, counted by hand.
#include "digest/digest.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "digest/digest_text.h"

namespace reveal::digest {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHour_ns = 3600 * kSecond_ns;
constexpr std::int64_t kDay_ns = 24 * kHour_ns;
constexpr std::int64_t kFrom_ns = 1'795'478'400 * kSecond_ns;  // 2026-11-24T00:00:00Z

class Digests : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC0", 1);
    ::tzset();
    input_.host = "n017";
    input_.from_ns = kFrom_ns;
    input_.to_ns = kFrom_ns + kDay_ns;
    input_.watched_since_ns = kFrom_ns - 40 * kDay_ns;
  }

  // Adds a finding that began so many seconds after the begin.
  Finding& add(double begin_s, double length_s) {
    Finding one;
    one.id = std::string(26, static_cast<char>('A' + input_.findings.size()));
    one.begin_ns = kFrom_ns + static_cast<std::int64_t>(begin_s * 1e9);
    one.end_ns = one.begin_ns + static_cast<std::int64_t>(length_s * 1e9);
    one.subsystem = "storage";
    one.severity = "minor";
    one.claim = "tasks waited";
    return input_.findings.emplace_back(one);
  }

  void watch(std::int64_t from_ns, std::int64_t to_ns, const char* state = "judging",
             const char* reason = "") {
    input_.watched.push_back({.begin_ns = kFrom_ns + from_ns,
                              .end_ns = kFrom_ns + to_ns,
                              .state = state,
                              .reason = reason,
                              .cpu_s = static_cast<double>(to_ns - from_ns) / 1e9 / 100,
                              .resident_bytes = 50'000'000});
  }

  Input input_;
};

TEST_F(Digests, OfNothingSayThatNobodyWatched) {
  const auto digest = digest_of(input_);
  EXPECT_EQ(digest.unwatched_ns, kDay_ns);
  ASSERT_THAT(digest.blind, SizeIs(1));
  EXPECT_EQ(digest.blind.front().end_ns, input_.to_ns);
  EXPECT_THAT(digest.incidents, IsEmpty());
  EXPECT_FALSE(digest.lost_s);
  EXPECT_FALSE(digest.resident_bytes);
  const auto text = to_text(digest);
  EXPECT_THAT(text,
              HasSubstr("n017, 2026-11-24T00:00:00 to 2026-11-25T00:00:00 (local time, 24 h"));
  EXPECT_THAT(text, HasSubstr("the agent did not run"));
  EXPECT_THAT(text, HasSubstr("0 findings, 0 incidents"));
  EXPECT_THAT(text, HasSubstr("What the agent used is not known"));
  EXPECT_THAT(text, HasSubstr("Which sources it lacked is not known"));
}

TEST_F(Digests, JoinFindingsThatOverlapOrLieAMinuteApart) {
  add(100, 50);
  add(120, 90).severity = "major";  // until 210
  add(270, 10);                     // 60 s later
  add(340.5, 10);                   // 60.5 s later
  const auto digest = digest_of(input_);
  EXPECT_EQ(digest.findings, 4U);
  ASSERT_THAT(digest.incidents, SizeIs(2));
  EXPECT_THAT(digest.incidents.front().findings, SizeIs(3));
  EXPECT_EQ(digest.incidents.front().begin_ns, kFrom_ns + 100 * kSecond_ns);
  EXPECT_EQ(digest.incidents.front().end_ns, kFrom_ns + 280 * kSecond_ns);
  EXPECT_EQ(digest.incidents.front().severity, "major");
  EXPECT_EQ(digest.incidents.back().severity, "minor");
}

TEST_F(Digests, HaveWhatReachesIntoTheStretch) {
  add(-7200, 10);          // over long before
  add(-10, 20);            // over at 10 s
  add(-5, 1).open = true;  // nobody has said that it is over
  add(86'390, 20);         // begins at the end
  add(86'400, 20);         // later
  const auto digest = digest_of(input_);
  EXPECT_EQ(digest.findings, 3U);
  ASSERT_THAT(digest.open, SizeIs(1));
  EXPECT_EQ(digest.open.front().begin_ns, kFrom_ns - 5 * kSecond_ns);
  EXPECT_EQ(digest.incidents.front().end_ns, input_.to_ns + 10 * kSecond_ns) << "all are one";
  EXPECT_EQ(digest.findings_before, 3U);
  EXPECT_THAT(to_text(digest),
              HasSubstr("Still open\n  since 2026-11-23T23:59:55, for 24 h 0 min"));
}

TEST_F(Digests, TellTheTimesThatWereNotJudged) {
  watch(-kHour_ns, kHour_ns);
  watch(kHour_ns, kHour_ns + 60 * kSecond_ns, "learning", "3 s to go");
  watch(kHour_ns + 60 * kSecond_ns, 10 * kHour_ns);
  watch(12 * kHour_ns, 13 * kHour_ns, "degraded", "the disk is full");
  watch(13 * kHour_ns + 5 * kSecond_ns, 25 * kHour_ns);  // five seconds are no news
  const auto digest = digest_of(input_);
  EXPECT_EQ(digest.learning_ns, 60 * kSecond_ns);
  EXPECT_EQ(digest.degraded_ns, kHour_ns);
  EXPECT_EQ(digest.unwatched_ns, 2 * kHour_ns + 5 * kSecond_ns);
  EXPECT_EQ(digest.judged_ns + digest.learning_ns + digest.degraded_ns + digest.unwatched_ns,
            kDay_ns);
  EXPECT_EQ(digest.judged_before_ns, kHour_ns);
  EXPECT_THAT(to_text(digest), HasSubstr("0 findings, 0 incidents; in as long before 0\n"));
  ASSERT_THAT(digest.blind, SizeIs(3));
  EXPECT_EQ(digest.blind[0].why, "what is usual was being learned");
  EXPECT_EQ(digest.blind[1].why, "the agent did not run");
  EXPECT_EQ(digest.blind[1].begin_ns, kFrom_ns + 10 * kHour_ns);
  EXPECT_EQ(digest.blind[2].why, "the disk is full");
  // A hundredth of a core, by its part in the stretch.
  const auto watched_s = static_cast<double>(kDay_ns - digest.unwatched_ns) / 1e9;
  EXPECT_NEAR(digest.cpu_s, watched_s / 100, 1e-6);
  EXPECT_THAT(to_text(digest), HasSubstr("1 % of a core"));
}

TEST_F(Digests, AreNotComparedWithATimeOfWhichNothingIsKept) {
  add(-3600, 10);
  add(100, 10);
  watch(-kHour_ns, kHour_ns);
  input_.watched_since_ns = kFrom_ns - kDay_ns;
  EXPECT_EQ(digest_of(input_).findings_before, 1U);
  EXPECT_EQ(digest_of(input_).judged_before_ns, kHour_ns);
  input_.watched.clear();  // it is known that nobody watched
  EXPECT_THAT(to_text(digest_of(input_)),
              HasSubstr("; in as long before 1, of which nothing was judged\n"));
  for (const auto since : {std::optional(kFrom_ns - kDay_ns + 1), std::optional<std::int64_t>()}) {
    input_.watched_since_ns = since;
    const auto digest = digest_of(input_);
    EXPECT_FALSE(digest.findings_before);
    EXPECT_FALSE(digest.judged_before_ns);
    EXPECT_EQ(digest.findings, 1U);
    EXPECT_THAT(to_text(digest),
                HasSubstr("1 finding, 1 incident; in as long before: not known\n"));
    const auto json = nlohmann::json::parse(to_json(digest));
    EXPECT_TRUE(json["findings_before"].is_null());
    EXPECT_TRUE(json["judged_before_seconds"].is_null());
  }
}

TEST_F(Digests, AddUpTheWorkThatIsKnownToBeLost) {
  add(100, 10).lost_s = 4.5;
  add(1000, 10).lost_s = -0.5;  // more was done: nothing is lost
  add(2000, 10);
  const auto digest = digest_of(input_);
  ASSERT_TRUE(digest.lost_s);
  EXPECT_DOUBLE_EQ(*digest.lost_s, 4.5);
  EXPECT_EQ(digest.lost_unknown, 1U);
  EXPECT_THAT(to_text(digest), HasSubstr("Work lost: 4.5 s"));
  EXPECT_THAT(to_text(digest), HasSubstr("of 1 it is not known"));
}

TEST_F(Digests, TellWhatComesAgainAndAtWhichHour) {
  for (const int day : {-3, -2, -1, 0}) {
    add(day * 86'400 + 2 * 3600 + 600 * (day + 3), 30).culprit = "backup.service";
  }
  for (const int hour : {1, 9}) add(hour * 3600, 5).pattern = "swapping";
  add(-8 * 86'400.0, 10).pattern = "swapping";  // too long ago
  add(4 * 3600, 10);                            // nobody, and like nothing: not again
  add(5 * 3600, 10);
  add(-86'400, 10).pattern = "io_limit";  // not in this stretch
  add(-43'200, 10).pattern = "io_limit";
  std::sort(input_.findings.begin(), input_.findings.end(),
            [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  const auto digest = digest_of(input_);
  ASSERT_THAT(digest.recurring, SizeIs(2));
  EXPECT_EQ(digest.recurring.front().culprit, "backup.service");
  EXPECT_EQ(digest.recurring.front().count, 4U);
  EXPECT_EQ(digest.recurring.front().hour, 2);
  EXPECT_EQ(digest.recurring.back().pattern, "swapping");
  EXPECT_EQ(digest.recurring.back().count, 2U);
  EXPECT_FALSE(digest.recurring.back().hour);
  const auto text = to_text(digest);
  EXPECT_THAT(text,
              HasSubstr("by backup.service: 4 times since 2026-11-21T02:00:00, always between "
                        "02:00 and 04:00\n"));
  EXPECT_THAT(text, HasSubstr("storage, swapping: 2 times"));
  EXPECT_THAT(text, Not(HasSubstr("io_limit: ")));
}

// The hour is the people's, also over midnight.
TEST_F(Digests, TakeHoursOfTheHostsZone) {
  ::setenv("TZ", "XXX-5:30", 1);
  ::tzset();
  for (const int day : {0, 1, 2}) {
    add(day * 86'400 + 18 * 3600 + (day == 1 ? 1800 : 0), 5).culprit = "x";  // 23:30, 00:00, 23:30
  }
  input_.to_ns = kFrom_ns + 3 * kDay_ns;
  const auto digest = digest_of(input_);
  ASSERT_THAT(digest.recurring, SizeIs(1));
  EXPECT_EQ(digest.recurring.front().hour, 23);
  EXPECT_THAT(to_text(digest), HasSubstr("between 23:00 and 01:00"));
}

TEST_F(Digests, AreJsonForPrograms) {
  watch(0, kDay_ns);
  add(100, 10).claim = "not \xff text";
  input_.findings.back().lost_s = 1.5;
  add(200, 1).open = true;
  input_.missing_sources = {"nfs", "lustre"};
  const auto json = nlohmann::json::parse(to_json(digest_of(input_)));
  EXPECT_EQ(json["schema"], "reveal.digest");
  EXPECT_EQ(json["begin"]["utc"], "2026-11-24T00:00:00.000Z");
  EXPECT_EQ(json["judged_seconds"], 86'400.0);
  EXPECT_EQ(json["findings_before"], 0);
  EXPECT_EQ(json["judged_before_seconds"], 0.0);
  EXPECT_EQ(json["not_judged"], nlohmann::json::array());
  EXPECT_EQ(json["incidents"].size(), 2U);
  EXPECT_EQ(json["incidents"][0]["findings"][0]["work_lost_seconds"], 1.5);
  EXPECT_TRUE(json["incidents"][1]["findings"][0]["work_lost_seconds"].is_null());
  EXPECT_EQ(json["open"][0], input_.findings.back().id);
  EXPECT_EQ(json["missing_sources"], nlohmann::json({"nfs", "lustre"}));
}

}  // namespace
}  // namespace reveal::digest
