#include "pipeline/baseline_fit.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::pipeline {
namespace {

// A run of one window, of channels of which the first is static and has no column, and the third
// was pruned.
BaselineFit pruned_run() {
  BaselineFit out;
  for (const std::string name : {"installed", "busy", "copy_of_busy", "free"}) {
    model::MetricDescriptor metric;
    metric.name = name;
    const auto channel = out.channels.add_channel(out.channels.add_metric(metric));
    if (name != "installed") out.matrix.add_column({channel, feature::FeatureId(0)});
  }
  out.matrix.add_row({});
  out.options.channels = {false, true, false, true};
  return out;
}

TEST(Joined, ChannelsThatWerePrunedInAllRunsStayAway) {
  const auto both = joined(std::array{pruned_run(), pruned_run()});
  ASSERT_TRUE(both) << both.error().message();
  std::vector<std::string> used;
  for (std::size_t i = 0; i < both->options.channels.size(); ++i) {
    if (both->options.channels[i]) used.push_back(both->channels.name(model::ChannelId(i)));
  }
  EXPECT_EQ(used, (std::vector<std::string>{"busy", "free"}));
}

}  // namespace
}  // namespace reveal::pipeline
