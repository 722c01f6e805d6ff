// What of a history is shown, and what keys choose.
#include "top/view.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live/testing/feed.h"
#include "live/whole_run.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::top {
namespace {

TEST(ViewMaker, AFindingIsShownAlsoWhereTheClockWasSetBack) {
  live::History history;
  const feature::FeatureMatrix features;
  const model::ChannelTable channels;
  history.features = &features;
  history.channels = &channels;
  for (const auto& [claim, begin_ns] : {std::pair{"before", 9'000}, {"after", 5'000}}) {
    const window::WindowId id(history.windows.size());
    history.windows.emplace_back().span = {id, begin_ns, begin_ns + 3'000, 0, 0};
    auto& finding = history.findings.emplace_back();
    finding.claim = claim;
    finding.windows.push_back({history.windows.back().span, {}});
  }
  ViewMaker maker;
  const auto view = maker.make(history, "", {}, {24, 80});
  ASSERT_EQ(view.findings.size(), 2u);
  EXPECT_EQ(view.findings[0].claim, "after");  // the newest first
}

TEST(ViewMaker, WhatGoesOnComesFirstThenTheGravest) {
  live::History history;
  const feature::FeatureMatrix features;
  const model::ChannelTable channels;
  history.features = &features;
  history.channels = &channels;
  const auto add = [&](const char* claim, std::optional<double> seconds, std::int64_t end_ns) {
    auto& finding = history.findings.emplace_back();
    finding.claim = claim;
    const window::WindowId id(history.findings.size());
    finding.windows.push_back({{id, end_ns - 3'000, end_ns, 0, 0}, {}});
    if (seconds) finding.severity = {*seconds, attribute::SeverityBasis::kStall};
  };
  add("small", 1, 5'000);
  add("unknown", {}, 8'000);
  add("large", 9, 11'000);
  add("goes on", 2, 20'000);
  history.windows.emplace_back().span = {window::WindowId(9), 17'000, 20'000, 0, 0};
  const auto view = ViewMaker().make(history, "", {}, {24, 80});
  std::vector<std::string> order;
  for (const auto& finding : view.findings) order.push_back(finding.claim);
  EXPECT_THAT(order, testing::ElementsAre("goes on", "large", "small", "unknown"));
}

TEST(ViewMaker, ShowsAFindingAndItsChannelsOnceItHasBegun) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.tell_of_throttling();
  pipeline::PipelineConfig config;
  config.channel_shares = true;
  pipeline::Pipeline pipeline{config};
  ASSERT_TRUE(pipeline.begin(host.facts));
  live::feed(pipeline, host, 40);
  live::feed(pipeline, host, 5, true);
  live::feed(pipeline, host, 40);
  const auto history = live::history_of(pipeline).value();

  ViewMaker maker;
  Controls controls;
  const auto now = maker.make(history, "", controls, {24, 80});
  ASSERT_EQ(now.findings.size(), 1u);
  EXPECT_GT(now.findings[0].severity, 0);
  EXPECT_THAT(now.findings[0].evidence, testing::HasSubstr(" (usually "));
  EXPECT_NE(now.findings[0].evidence, now.findings[0].claim);
  EXPECT_THAT(now.findings[0].remedy, testing::HasSubstr("cpu.max"));
  controls.at = 43;  // in the burst
  const auto then = maker.make(history, "", controls, {24, 80});
  ASSERT_FALSE(then.channels.empty());
  EXPECT_THAT(then.channels[0].name, testing::HasSubstr("storage_"));
  EXPECT_GT(then.channels[0].deviation, 20);
  EXPECT_EQ(then.window_ids.back(), 43u);
  controls.at = 20;  // before it
  EXPECT_TRUE(maker.make(history, "", controls, {24, 80}).findings.empty());
  controls.filter = "NETWORK_";
  const auto filtered = maker.make(history, "", controls, {24, 80});
  EXPECT_EQ(filtered.channels_found, 4u);
}

TEST(ViewMaker, AFindingOfAReportIsToldWithTheNamesOfTheRun) {
  live::History history;
  const feature::FeatureMatrix features;
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "storage_a";
  metric.label = "Disk reads";
  metric.unit = "sectors/s";
  channels.add_channel(channels.add_metric(metric));
  history.features = &features;
  history.channels = &channels;
  history.windows.emplace_back().span = {window::WindowId(7), 1'000, 4'000, 0, 0};
  report::SavedFinding saved;
  saved.claim = "it is slow";
  saved.begin_ns = 1'000;
  saved.end_ns = 4'000;
  saved.first_window = 7;
  saved.last_window = 7;
  saved.subsystem = model::Subsystem::kStorage;
  saved.severity = 2.5;
  saved.remedy = "wait";
  saved.evidence = {{"gone", "mean", "", 1, 2}, {"storage_a", "mean", "sectors/s", 50, 10}};
  live::set_reported(history, {saved});
  EXPECT_EQ(history.windows.front().flagged, model::Subsystem::kStorage);
  const auto view = ViewMaker().make(history, "", {}, {24, 80});
  ASSERT_EQ(view.findings.size(), 1u);
  EXPECT_EQ(view.findings[0].claim, "it is slow");
  EXPECT_EQ(view.findings[0].severity, 2.5);
  EXPECT_EQ(view.findings[0].remedy, "wait");
  EXPECT_THAT(view.findings[0].evidence, testing::StartsWith("Disk reads rose to "));
  EXPECT_EQ(detail_count(view), 2u);
}

}  // namespace
}  // namespace reveal::top
