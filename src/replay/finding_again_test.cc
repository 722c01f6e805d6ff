#include "replay/finding_again.h"

#include <utility>

#include <gtest/gtest.h>

#include "attribute/claimed_place.h"
#include "base/temp_dir.h"
#include "pipeline/testing/synthetic_host.h"
#include "store/segment_writer.h"

namespace reveal::replay {
namespace {

// Forty minutes with three bursts, of which one lies where parts meet.
void record(const std::filesystem::path& directory) {
  auto writer = store::SegmentWriter::create(directory).value();
  pipeline::SyntheticHost host;
  EXPECT_TRUE(writer.begin(host.facts));
  for (int i = 0; i < 24'000; ++i) {
    const int s = i / 10;
    const bool burst = (s >= 300 && s < 308) || (s >= 716 && s < 724) || (s >= 2300 && s < 2308);
    EXPECT_TRUE(writer.write(host.channels, host.tick(burst)));
  }
  EXPECT_TRUE(writer.finish());
}

TEST(FindingAgain, HasTheFeaturesOfThePartThatToldOfIt) {
  const base::TempDir scratch;
  const auto directory = scratch.path() / "run";
  record(directory);
  pipeline::PipelineConfig config;
  config.most_values = 100'000;
  const auto whole = replay(directory, config).value().pipeline->analyze().value();
  ASSERT_EQ(whole.findings.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto again = find_again(directory, config, i);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->number, i + 1);
    EXPECT_EQ(again->count, 3u);
    const auto& found = again->report.findings.at(again->finding);
    EXPECT_EQ(found.claim, whole.findings[i].claim);
    EXPECT_EQ(found.windows.front().span.id, whole.findings[i].windows.front().span.id);
    const auto& features = again->run.pipeline->features();
    ASSERT_EQ(features.row_count(), again->report.windows.size());
    const auto place = attribute::claimed_place(found, features);
    ASSERT_TRUE(place);
    EXPECT_EQ(features.at(place->row, place->column), place->evidence.observed);
  }
}

TEST(FindingAgain, OfAShortRunIsInItsOnlyReport) {
  const base::TempDir scratch;
  const auto directory = scratch.path() / "run";
  record(directory);
  const auto again = find_again(directory, {}, 1).value();
  EXPECT_EQ(again.finding, 1u);
  EXPECT_EQ(again.report.findings.size(), 3u);
  EXPECT_EQ(again.run.pipeline->window_count(), again.report.windows.size());
}

}  // namespace
}  // namespace reveal::replay
