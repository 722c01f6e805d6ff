// A run that is over has the history that its report tells.
#include "live/whole_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live/testing/feed.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::live {
namespace {

TEST(WholeRun, ShowsWhatTheReportSays) {
  pipeline::SyntheticHost host;
  pipeline::PipelineConfig config;
  config.channel_shares = true;
  pipeline::Pipeline pipeline{config};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 40);
  feed(pipeline, host, 5, true);
  feed(pipeline, host, 40);
  const auto history = history_of(pipeline).value();
  const auto report = pipeline.analyze().value();
  ASSERT_EQ(report.findings.size(), 1u);
  ASSERT_EQ(history.findings.size(), 1u);
  EXPECT_EQ(history.findings[0].claim, report.findings[0].claim);
  EXPECT_EQ(history.findings[0].subsystem(), model::Subsystem::kStorage);
}

TEST(WholeRun, ARunTooShortToJudgeSaysSo) {
  pipeline::SyntheticHost host;
  pipeline::Pipeline pipeline{pipeline::PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 8);
  const auto history = history_of(pipeline).value();
  EXPECT_THAT(history.trouble, testing::HasSubstr("too few to learn the usual values"));
  EXPECT_EQ(history.windows.size(), 6u);
  EXPECT_FALSE(history.windows.back().judged);
}

}  // namespace
}  // namespace reveal::live
