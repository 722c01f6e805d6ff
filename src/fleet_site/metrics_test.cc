#include "fleet_site/metrics.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "fleet_site/testing/made_fleet_state.h"

namespace reveal::fleet_site {
namespace {

using http::Exposition;
using http::HttpCounts;
using http::MetricType;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string text_of(const FleetState& state, const HttpCounts& http = {}) {
  return metrics_text({.state = state, .http = http}, chosen_groups({}, {}).value(),
                      Exposition::kText);
}

// A large fleet in trouble, so that each metric has all the series that it can have.
FleetState crowded_state() {
  auto out = made_fleet_state();
  for (int i = 0; i < 300; ++i) {
    out.groups.push_back(made_group("role=x" + std::to_string(1'000 + i) + "\"\\\n", 3));
    out.receivers.push_back(
        {.name = "r" + std::to_string(i), .last_success_wall_ns = kMadeWall_ns});
  }
  return out;
}

TEST(AnalyserMetrics, AreThoseOfTheState) {
  const auto text = text_of(made_fleet_state());
  EXPECT_THAT(text, HasSubstr("\nreveal_analyser_state{state=\"judging\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_hosts{standing=\"compared\"} 13\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_messages_total 1000\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_group_slow_hosts{group=\"role=train\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_group_judged_timestamp_seconds{group=\"role=train\"} "
                              "1790000000\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_incidents_open 1\n"));
  EXPECT_THAT(text, HasSubstr("\nprocess_resident_memory_bytes 50000000\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_alerts_sent_total{receiver=\"oncall\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_alerts_failed_total{receiver=\"oncall\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_alerts_dropped_total{receiver=\"oncall\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_alerts_queue{receiver=\"oncall\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_alerts_last_success_timestamp_seconds{receiver=\"oncall\"} "
                              "1790000000.25\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_questions_total{result=\"answered\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_questions_total{result=\"away\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_questions_total{result=\"failed\"} 6\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_answer_bytes_total 8000\n"));
  FleetState begun;
  begun.incidents = std::make_shared<const ShownList>();
  EXPECT_THAT(text_of(begun), Not(HasSubstr("reveal_analyser_last_message")));
  EXPECT_THAT(text_of(begun), Not(HasSubstr("reveal_fleet_questions_total{")));
}

TEST(AnalyserMetrics, HowLongAfterItsEndASecondIsJudgedIsToldToWhoAsks) {
  const auto state = made_fleet_state();
  EXPECT_THAT(text_of(state), Not(HasSubstr("reveal_fleet_judged_after_seconds")));
  const std::vector<std::string> asked{"judging"};
  const HttpCounts http;
  const auto text = metrics_text({.state = state, .http = http}, chosen_groups(asked, {}).value(),
                                 Exposition::kText);
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_judged_after_seconds_bucket{le=\"1\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_judged_after_seconds_bucket{le=\"1.5\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("\nreveal_fleet_judged_after_seconds_sum 8.75\n"));
}

TEST(AnalyserMetrics, OfALargeFleetAreFew) {
  HttpCounts http;
  http.by_status.fill(1);
  const auto text = text_of(crowded_state(), http);
  const auto lines = std::ranges::count(text, '\n');
  std::ptrdiff_t comments = 0;
  for (std::size_t at = 0; (at = text.find("# ", at)) != std::string::npos; ++at) ++comments;
  EXPECT_LE(lines - comments, kMostDefaultSeries);
}

TEST(AnalyserMetrics, NamesTypesAndGroupsFit) {
  std::set<std::string_view> names;
  for (const auto& row : metric_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.ends_with("_total"), row.type == MetricType::kCounter) << row.name;
    EXPECT_EQ(row.name.ends_with("_info"), row.type == MetricType::kInfo) << row.name;
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
    EXPECT_TRUE(std::ranges::any_of(metric_groups(), [&](const auto& group) {
      return group.name == row.group;
    })) << row.name;
  }
}

TEST(AnalyserMetrics, ThePageHasEachRow) {
  const auto page = analyser_metrics_page();
  EXPECT_THAT(page, StartsWith("# Metrics of the analyser\n"));
  for (const auto& row : metric_rows()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(row.name) + "` |"));
  }
}

// The program's own word on names, types and help.
TEST(AnalyserMetrics, PromtoolFindsNothingToCorrect) {
  // NOLINTNEXTLINE(cert-env33-c): a fixed command
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool is not installed; apt-get install prometheus has it";
  }
  HttpCounts http;
  http.by_status.fill(1);
  const base::TempDir dir;
  const auto file = dir.path() / "metrics";
  const auto output = dir.path() / "output";
  std::ofstream(file) << text_of(crowded_state(), http);
  const auto command =
      "promtool check metrics <" + file.string() + " >" + output.string() + " 2>&1";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c)
  std::string said;
  std::getline(std::ifstream(output), said, '\0');
  EXPECT_EQ(status, 0) << said;
  EXPECT_EQ(said, "");
}

}  // namespace
}  // namespace reveal::fleet_site
