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
    finding.begin_ns = begin_ns;
    finding.end_ns = begin_ns + 3'000;
  }
  ViewMaker maker;
  const auto view = maker.make(history, "", {}, {24, 80});
  ASSERT_EQ(view.findings.size(), 2u);
  EXPECT_EQ(view.findings[0].claim, "after");  // the newest first
}

TEST(ViewMaker, ShowsAFindingAndItsChannelsOnceItHasBegun) {
  pipeline::SyntheticHost host;
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
  EXPECT_EQ(now.findings.size(), 1u);
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

}  // namespace
}  // namespace reveal::top
