// Reports of days from made files of an agent.
#include "agent/daily_reports.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/look_back.h"
#include "agent/watch_log.h"
#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHour_ns = 3600 * kSecond_ns;
constexpr std::int64_t kDay_ns = 24 * kHour_ns;
constexpr std::int64_t kFrom_ns = 1'795'474'800 * kSecond_ns;  // 2026-11-24T00:00:00+01:00

class Days : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    ::tzset();
    fs::create_directories(paths_.state());
  }

  void add_finding(std::int64_t begin_ns) {
    LoggedFinding finding;
    finding.id = new_finding_id(begin_ns);
    finding.open = false;
    finding.host = "n017";
    finding.begin_ns = finding.windows_begin_ns = begin_ns;
    finding.end_ns = finding.windows_end_ns = begin_ns + 10 * kSecond_ns;
    finding.fields =
        R"({"severity_word": "major", "claim": "tasks waited", "subsystem": "storage",)"
        R"( "remedy": "", "patterns": [{"name": "swapping"}], "culprit": "backup.service",)"
        R"( "work_lost_seconds": 2.5})";
    ASSERT_TRUE(save_finding(paths_.findings(), finding));
  }

  void watch(std::int64_t from_ns, int seconds) {
    WatchLog log(paths_.watched(), from_ns);
    serve::AgentState state;
    state.host = "n017";
    state.state = serve::RunState::kJudging;
    for (int i = 0; i <= seconds; ++i) log.take(state, from_ns + i * kSecond_ns);
    ASSERT_TRUE(log.save());
  }

  nlohmann::json report(const char* date) const {
    const auto text = base::read_whole_file(paths_.reports() / (std::string(date) + ".json"), "it");
    EXPECT_TRUE(text) << text.error().message();
    return text ? nlohmann::json::parse(*text) : nlohmann::json();
  }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
};

TEST_F(Days, AreReportedFromMidnightToMidnight) {
  add_finding(kFrom_ns - 60 * kSecond_ns);
  add_finding(kFrom_ns + 60 * kSecond_ns);  // of 2026-11-23 in UTC
  add_finding(kFrom_ns + kDay_ns + 60 * kSecond_ns);
  watch(kFrom_ns - kDay_ns - kHour_ns, 10);  // so the day before is known
  watch(kFrom_ns + 1800 * kSecond_ns, 600);
  const auto made = write_report_of_yesterday(paths_, kFrom_ns + kDay_ns + kHour_ns);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(*made);
  const auto json = report("2026/11/24");
  EXPECT_EQ(json["host"], "n017");
  EXPECT_EQ(json["begin"]["ns"], kFrom_ns);
  EXPECT_EQ(json["end"]["ns"], kFrom_ns + kDay_ns);
  EXPECT_EQ(json["findings"], 1);
  EXPECT_EQ(json["findings_before"], 1);
  EXPECT_EQ(json["judged_seconds"], 600);
  EXPECT_EQ(json["work_lost_seconds"], 2.5);
  const auto& finding = json["incidents"][0]["findings"][0];
  EXPECT_EQ(finding["culprit"], "backup.service");
  EXPECT_EQ(finding["pattern"], "swapping");
  EXPECT_EQ(finding["severity_word"], "major");
  const auto text = base::read_whole_file(paths_.reports() / "2026/11/24.txt", "text");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("n017, 2026-11-24T00:00:00 to 2026-11-25T00:00:00"));
}

// The agent was installed at 18:00 on the 24th, and the report is that of the 25th.
TEST_F(Days, AreNotComparedWithADayOfWhichAPartIsKnown) {
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  constexpr std::int64_t kInstalled_ns = kFrom_ns + 19 * kHour_ns;
  watch(kInstalled_ns, 600);
  watch(kInstalled_ns + 7 * kHour_ns, 600);
  const auto now_ns = kInstalled_ns + 31 * kHour_ns;
  EXPECT_TRUE(write_report_of_yesterday(paths_, now_ns).value_or(false));
  EXPECT_TRUE(report("2026/11/25")["findings_before"].is_null());
  const auto text = base::read_whole_file(paths_.reports() / "2026/11/25.txt", "text");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("; in as long before: not known\n"));
}

// On 2026-10-25 the clock is set back by an hour.
TEST_F(Days, OfTwentyFiveHoursAreWhole) {
  constexpr std::int64_t kSunday_ns = 1'792'879'200 * kSecond_ns;  // 2026-10-25T00:00:00+02:00
  add_finding(kSunday_ns + 24 * kHour_ns + 1800 * kSecond_ns);
  const auto made = write_report_of_yesterday(paths_, kSunday_ns + 26 * kHour_ns);
  ASSERT_TRUE(made);
  EXPECT_TRUE(*made);
  const auto json = report("2026/10/25");
  EXPECT_EQ(json["end"]["ns"].get<std::int64_t>() - json["begin"]["ns"].get<std::int64_t>(),
            25 * kHour_ns);
  EXPECT_EQ(json["findings"], 1);
}

TEST_F(Days, AreReportedOnceAndOnlyIfSomethingIsKnown) {
  const auto now_ns = kFrom_ns + kDay_ns + kHour_ns;
  const auto empty = write_report_of_yesterday(paths_, now_ns);
  ASSERT_TRUE(empty) << empty.error().message();
  EXPECT_FALSE(*empty);
  EXPECT_FALSE(fs::exists(paths_.reports()));
  add_finding(kFrom_ns + kHour_ns);
  EXPECT_TRUE(write_report_of_yesterday(paths_, now_ns).value_or(false));
  add_finding(kFrom_ns + 2 * kHour_ns);
  EXPECT_FALSE(write_report_of_yesterday(paths_, now_ns).value_or(true));
  EXPECT_EQ(report("2026/11/24")["findings"], 1);
}

TEST_F(Days, TheOldestReportsGo) {
  for (int year = 2000; year < 2000 + 10; ++year) {
    for (int day = 1; day <= 41; ++day) {
      const auto folder = paths_.reports() / std::to_string(year) / (day <= 20 ? "01" : "02");
      fs::create_directories(folder);
      for (const char* ending : {".json", ".txt"}) {
        std::ofstream(folder / (std::to_string(day + 10) + ending)) << "x";
      }
    }
  }
  add_finding(kFrom_ns + kHour_ns);
  ASSERT_TRUE(write_report_of_yesterday(paths_, kFrom_ns + kDay_ns + kHour_ns).value_or(false));
  std::size_t json = 0;
  std::size_t text = 0;
  for (const auto& file : fs::recursive_directory_iterator(paths_.reports())) {
    json += file.path().extension() == ".json" ? 1U : 0U;
    text += file.path().extension() == ".txt" ? 1U : 0U;
  }
  EXPECT_EQ(json, kMostReports);
  EXPECT_EQ(text, kMostReports);
  EXPECT_TRUE(fs::exists(paths_.reports() / "2026/11/24.json"));
  EXPECT_FALSE(fs::exists(paths_.reports() / "2000/01/11.json"));
}

// Asks until it has ended what it began.
std::string settle(DailyReports& reports, const fs::path& file, std::int64_t now_ns) {
  std::string said;
  for (int i = 0; i < 1000 && said.empty() && !fs::exists(file); ++i) {
    said = reports.update(now_ns);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return said;
}

TEST_F(Days, AreReportedByTheAgentSomeMinutesAfterMidnightAndAfterAStart) {
  add_finding(kFrom_ns + kHour_ns);
  add_finding(kFrom_ns + kDay_ns + kHour_ns);
  {
    DailyReports reports(paths_, true);
    EXPECT_EQ(reports.update(kFrom_ns + kDay_ns + kSecond_ns), "");
  }
  EXPECT_FALSE(fs::exists(paths_.reports())) << "the last word has not been said";
  DailyReports reports(paths_, true);
  EXPECT_EQ(settle(reports, paths_.reports() / "2026/11/24.json", kFrom_ns + kDay_ns + kHour_ns),
            "");
  EXPECT_EQ(settle(reports, paths_.reports() / "2026/11/25.json",
                   kFrom_ns + 2 * kDay_ns + kReportAfter_ns),
            "");
  EXPECT_EQ(report("2026/11/24")["findings"], 1);
  EXPECT_EQ(report("2026/11/25")["findings"], 1);
}

TEST_F(Days, AreNotReportedIfNobodyWantsThat) {
  add_finding(kFrom_ns + kHour_ns);
  {
    DailyReports reports(paths_, false);
    EXPECT_EQ(reports.update(kFrom_ns + kDay_ns + kHour_ns), "");
  }
  EXPECT_FALSE(fs::exists(paths_.reports()));
}

TEST_F(Days, ThatCannotBeWrittenAreTold) {
  add_finding(kFrom_ns + kHour_ns);
  ASSERT_TRUE(base::write_new_file(paths_.reports(), "in the way"));
  DailyReports reports(paths_, true);
  EXPECT_THAT(settle(reports, paths_.reports() / "2026", kFrom_ns + kDay_ns + kHour_ns),
              HasSubstr("the report of the day: "));
}

// What an agent that runs has not saved yet is no time without it.
TEST_F(Days, LookBackOnTheLastMomentsIsNotBlind) {
  watch(kFrom_ns, 600);
  const auto digest = [&](std::int64_t now_ns) {
    const auto out = look_back(
        paths_, {.from_ns = kFrom_ns, .to_ns = kFrom_ns + kDay_ns, .now_ns = kFrom_ns + now_ns});
    EXPECT_TRUE(out);
    return out.value_or(digest::Digest());
  };
  EXPECT_EQ(digest(630 * kSecond_ns).judged_ns, 630 * kSecond_ns);
  EXPECT_TRUE(digest(630 * kSecond_ns).blind.empty());
  EXPECT_EQ(digest(700 * kSecond_ns).judged_ns, 600 * kSecond_ns);
  EXPECT_EQ(digest(700 * kSecond_ns).unwatched_ns, 100 * kSecond_ns);
}

TEST_F(Days, LookBackRefusesWhatMakesNoSense) {
  const auto said = [&](const Paths& paths, std::int64_t from_ns, std::int64_t to_ns) {
    const LookBack stretch{.from_ns = from_ns, .to_ns = to_ns, .now_ns = kFrom_ns + 40 * kDay_ns};
    const auto digest = look_back(paths, stretch);
    return digest ? std::string() : digest.error().message();
  };
  EXPECT_EQ(said(paths_, kFrom_ns, kFrom_ns + kDay_ns), "");
  EXPECT_THAT(said(paths_, kFrom_ns, kFrom_ns), HasSubstr("ends before it begins"));
  EXPECT_THAT(said(paths_, kFrom_ns, kFrom_ns + 32 * kDay_ns), HasSubstr("31 days"));
  EXPECT_THAT(said(paths_, kFrom_ns + 41 * kDay_ns, kFrom_ns + 42 * kDay_ns),
              HasSubstr("ends before it begins"));
  EXPECT_THAT(said({dir_.path() / "none"}, kFrom_ns, kFrom_ns + kDay_ns),
              HasSubstr("cannot read the agent's folder"));
  const base::TempDir other;
  EXPECT_THAT(said({other.path()}, kFrom_ns, kFrom_ns + kDay_ns),
              HasSubstr("no agent has worked in this folder"));
}

}  // namespace
}  // namespace reveal::agent
