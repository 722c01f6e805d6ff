// Control groups that come and go beside what is judged: they leave what is usual as it is.
#include <gtest/gtest.h>

#include "live/testing/churning_host.h"
#include "pipeline/pipeline.h"

namespace reveal::live {
namespace {

void expect_same(const detect::FittedBaseline& a, const detect::FittedBaseline& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].channel, b.columns[i].channel);
    EXPECT_EQ(a.columns[i].feature, b.columns[i].feature);
    EXPECT_EQ(a.columns[i].mean, b.columns[i].mean);
    EXPECT_EQ(a.columns[i].scale, b.columns[i].scale);
    EXPECT_EQ(a.columns[i].median, b.columns[i].median);
    EXPECT_EQ(a.columns[i].mad, b.columns[i].mad);
    EXPECT_EQ(a.columns[i].least, b.columns[i].least);
  }
  ASSERT_EQ(a.detectors.size(), b.detectors.size());
  for (std::size_t i = 0; i < a.detectors.size(); ++i) {
    EXPECT_EQ(a.detectors[i].scores, b.detectors[i].scores);
    EXPECT_EQ(a.usual[i], b.usual[i]);
  }
}

TEST(GoneChannels, AFitWithoutThemKnowsTheSame) {
  ChurningHost host(3);
  pipeline::Pipeline pipeline{{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i < 150 * ChurningHost::kTicksPerSecond; ++i) {
    ASSERT_TRUE(pipeline.write(host.channels, host.tick()));
  }
  auto whole = pipeline.copy_for_fit();
  auto small = pipeline.copy_for_fit(/*whole=*/false);
  ASSERT_TRUE(whole && small);
  EXPECT_LT(small->matrix.column_count(), whole->matrix.column_count() / 5);
  const auto by_whole = std::move(*whole).fit();
  const auto by_small = std::move(*small).fit();
  ASSERT_TRUE(by_whole && by_small);
  expect_same(*by_whole, *by_small);
}

}  // namespace
}  // namespace reveal::live
