#include "serve/metrics.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "serve/metrics_text.h"
#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using http::accepted_exposition;
using http::Exposition;
using http::Histogram;
using http::HttpCounts;
using http::MetricType;

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string text_of(const AgentState& state, std::vector<std::string_view> groups,
                    Exposition format = Exposition::kText, const HttpCounts& http = {}) {
  return metrics_text({.state = state, .http = http}, groups, format);
}

std::vector<std::string_view> default_groups() {
  return chosen_groups({}, {}).value();
}

std::vector<std::string_view> all_groups() {
  std::vector<std::string_view> out;
  for (const auto& group : metric_groups()) out.push_back(group.name);
  return out;
}

std::size_t series_in(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    if (text[begin] != '#') ++out;
  }
  return out;
}

TEST(Metrics, TheTextFormatByHand) {
  auto state = made_state();
  state.recorder = {.ticks = 10, .lateness_s = Histogram(std::vector<double>{0.5, 1})};
  for (const double late : {0.25, 0.5, 2.0}) state.recorder.lateness_s->add(late);
  state.channels.reset();
  state.sources.clear();
  state.storage = {};
  EXPECT_EQ(text_of(state, {"recorder"}),
            "# HELP reveal_recorder_ticks_total Ticks of which a frame was recorded.\n"
            "# TYPE reveal_recorder_ticks_total counter\n"
            "reveal_recorder_ticks_total 10\n"
            "# HELP reveal_recorder_lateness_seconds From when a tick was due to when it began.\n"
            "# TYPE reveal_recorder_lateness_seconds histogram\n"
            "reveal_recorder_lateness_seconds_bucket{le=\"0.5\"} 2\n"
            "reveal_recorder_lateness_seconds_bucket{le=\"1\"} 2\n"
            "reveal_recorder_lateness_seconds_bucket{le=\"+Inf\"} 3\n"
            "reveal_recorder_lateness_seconds_sum 2.75\n"
            "reveal_recorder_lateness_seconds_count 3\n");
}

TEST(Metrics, OpenMetricsByHand) {
  auto state = made_state();
  state.config = {.last_success_wall_ns = kMadeWall_ns};
  state.recorder = {.lateness_s = Histogram(std::vector<double>{1})};
  const auto agent = text_of(state, {"agent"}, Exposition::kOpenMetrics);
  EXPECT_EQ(agent,
            "# HELP reveal_build The version of the agent and the commit it was built from.\n"
            "# TYPE reveal_build info\n"
            "reveal_build_info{version=\"0.1.0\",revision=\"5b95e08\"} 1\n"
            "# HELP reveal_agent_state 1 for the state that the agent is in, 0 for the others.\n"
            "# TYPE reveal_agent_state gauge\n"
            "reveal_agent_state{state=\"learning\"} 0\n"
            "reveal_agent_state{state=\"judging\"} 1\n"
            "reveal_agent_state{state=\"degraded\"} 0\n"
            "# HELP reveal_config_last_reload_success_timestamp_seconds When the configuration "
            "that is in force was read.\n"
            "# TYPE reveal_config_last_reload_success_timestamp_seconds gauge\n"
            "# UNIT reveal_config_last_reload_success_timestamp_seconds seconds\n"
            "reveal_config_last_reload_success_timestamp_seconds 1790000000.25\n"
            "# EOF\n");
  const auto recorder = text_of(state, {"recorder"}, Exposition::kOpenMetrics);
  EXPECT_THAT(recorder, HasSubstr("_bucket{le=\"1.0\"} 0\n"));
  EXPECT_THAT(recorder, HasSubstr("# TYPE reveal_recording_written_bytes counter\n"));
  EXPECT_THAT(recorder, HasSubstr("\nreveal_recording_written_bytes_total 2000000\n"));
}

TEST(Metrics, WhatIsNotKnownIsAbsent) {
  const auto text = text_of(AgentState{}, all_groups());
  EXPECT_THAT(text, Not(HasSubstr("reveal_recorder_ticks_total")));
  EXPECT_THAT(text, Not(HasSubstr("process_")));
  EXPECT_THAT(text, Not(HasSubstr("reveal_sources")));
  AgentState lacking;
  lacking.sources = {{.name = "meminfo", .up = true}};
  EXPECT_THAT(text_of(lacking, {"recorder"}), Not(HasSubstr("\nreveal_sources")));
  lacking.sources.push_back({.name = "kmsg", .up = false});
  const auto recorder = text_of(lacking, {"recorder"});
  EXPECT_THAT(recorder, Not(HasSubstr("state=\"up\"")));
  EXPECT_THAT(recorder, HasSubstr("\nreveal_sources{state=\"down\"} 1\n"));
  // One process whose memory is not known hides the sum, but not the other process.
  auto state = made_state();
  state.processes[1].resident_bytes.reset();
  const auto process = text_of(state, {"process"});
  EXPECT_THAT(process, Not(HasSubstr("\nprocess_resident_memory_bytes ")));
  EXPECT_THAT(process, HasSubstr("\nprocess_cpu_seconds_total 15.5\n"));
  EXPECT_THAT(process, HasSubstr("\nprocess_open_fds 220\n"));
  EXPECT_THAT(process,
              HasSubstr("\nreveal_process_resident_memory_bytes{process=\"agent\"} 30000000\n"));
  EXPECT_THAT(process, HasSubstr("\nprocess_start_time_seconds 1789999940.25\n"));
}

TEST(Metrics, AnswersToTheFleetAreCountedOfWhoAnswers) {
  auto state = made_state();
  EXPECT_THAT(text_of(state, {"fleet"}), Not(HasSubstr("reveal_fleet_questions_answered_total")));
  state.fleet->answers = true;
  state.fleet->answered = 9;
  EXPECT_THAT(text_of(state, {"fleet"}), HasSubstr("\nreveal_fleet_questions_answered_total 9\n"));
}

TEST(Metrics, CountersAreExactBeyondWhatADoubleHas) {
  EXPECT_THAT(text_of(made_state(), {"recorder"}),
              HasSubstr("\nreveal_recorder_ticks_total 18446744073709551615\n"));
}

TEST(Metrics, ValuesOfLabelsAreEscaped) {
  auto state = made_state();
  state.receivers[0].name = "a\"b\\c\nd\xff";
  EXPECT_THAT(text_of(state, {"alerts"}),
              HasSubstr("sent_total{receiver=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 4\n"));
}

TEST(Metrics, ACrowdedHostKeepsToTheMostSeries) {
  HttpCounts http;
  http.by_status.fill(1);
  const auto text = text_of(crowded_state(), default_groups(), Exposition::kText, http);
  EXPECT_LE(series_in(text), static_cast<std::size_t>(kMostDefaultSeries));
  EXPECT_GT(series_in(text_of(crowded_state(), all_groups())), 200U);
}

TEST(Metrics, GroupsAreChosen) {
  const std::vector<std::string> sources{"sources"};
  const std::vector<std::string> alerts{"alerts"};
  const std::vector<std::string> unknown{"nope"};
  EXPECT_EQ(chosen_groups(sources, {}).value(), std::vector<std::string_view>{"sources"});
  const auto rest = chosen_groups({}, alerts).value();
  EXPECT_EQ(rest.size(), default_groups().size() - 1);
  EXPECT_EQ(std::count(rest.begin(), rest.end(), "alerts"), 0);
  EXPECT_FALSE(chosen_groups(sources, alerts));
  EXPECT_THAT(chosen_groups(unknown, {}).error().message(), HasSubstr("known: agent, recorder"));
  EXPECT_FALSE(chosen_groups({}, unknown));
}

TEST(Metrics, RowsKeepTheRulesOfNames) {
  std::set<std::string_view> names;
  for (const auto& row : metric_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.ends_with("_total"), row.type == MetricType::kCounter) << row.name;
    EXPECT_EQ(row.name.ends_with("_info"), row.type == MetricType::kInfo) << row.name;
    EXPECT_EQ(row.help.find_first_of("\\\"\n|"), std::string_view::npos) << row.name;
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
    const auto family = row.name.substr(0, row.name.rfind("_total"));
    EXPECT_TRUE(family.ends_with(row.unit)) << row.name;
    EXPECT_TRUE(std::any_of(metric_groups().begin(), metric_groups().end(), [&](const auto& group) {
      return group.name == row.group;
    })) << row.name;
  }
}

// Each row of the registry gives something if all is known, with the labels that it names.
TEST(Metrics, EachRowHasASeriesWithItsLabels) {
  HttpCounts http;
  http.by_status.fill(1);
  auto state = made_state();
  state.fleet->answers = true;
  const auto text = text_of(state, all_groups(), Exposition::kText, http);
  for (const auto& row : metric_rows()) {
    std::string begin = "\n" + std::string(row.name);
    if (row.type == MetricType::kHistogram) begin += "_bucket{le=\"";
    if (!row.labels.empty()) {
      begin += "{" + std::string(row.labels.substr(0, row.labels.find(','))) + "=\"";
    }
    EXPECT_THAT(text, HasSubstr(begin));
  }
}

TEST(Metrics, ThePageHasEachRow) {
  const auto page = agent_metrics_page();
  EXPECT_THAT(page, StartsWith("# Metrics of the agent\n"));
  for (const auto& row : metric_rows()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(row.name) + "` |"));
  }
}

TEST(Metrics, TheFormatIsWhatTheScraperPrefers) {
  const auto is_open = [](std::string_view accept) {
    return accepted_exposition(accept) == Exposition::kOpenMetrics;
  };
  // What Prometheus 2.42 sends.
  EXPECT_TRUE(
      is_open("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version="
              "0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
  EXPECT_TRUE(is_open("application/openmetrics-text"));
  EXPECT_FALSE(is_open(""));
  EXPECT_FALSE(is_open("*/*"));
  EXPECT_FALSE(is_open("text/html,application/xhtml+xml,*/*;q=0.8"));
  EXPECT_FALSE(is_open("application/openmetrics-text;version=0.0.1"));
  EXPECT_FALSE(is_open("application/openmetrics-text;q=0.2,text/plain"));
  EXPECT_FALSE(is_open("application/openmetrics-text;q=0"));
  EXPECT_FALSE(is_open("application/openmetrics-text;q=nan"));
  EXPECT_FALSE(is_open(",;;=,q=,;q=1"));
}

// The program's own word on names, types and help.
TEST(Metrics, PromtoolFindsNothingToCorrect) {
  // NOLINTNEXTLINE(cert-env33-c): a fixed command
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool is not installed; apt-get install prometheus has it";
  }
  HttpCounts http;
  http.by_status.fill(1);
  auto state = crowded_state();
  state.receivers[0].name = "a\"b\\c\nd";
  const base::TempDir dir;
  const auto file = dir.path() / "metrics";
  const auto output = dir.path() / "output";
  std::ofstream(file) << text_of(state, all_groups(), Exposition::kText, http);
  const auto command =
      "promtool check metrics <" + file.string() + " >" + output.string() + " 2>&1";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c)
  std::string said;
  std::getline(std::ifstream(output), said, '\0');
  EXPECT_EQ(status, 0) << said;
  EXPECT_EQ(said, "");
}

}  // namespace
}  // namespace reveal::serve
