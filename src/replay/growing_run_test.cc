#include "replay/growing_run.h"

#include <cstddef>
#include <utility>

#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "pipeline/testing/synthetic_host.h"
#include "report/json.h"
#include "store/segment_writer.h"

namespace reveal::replay {
namespace {

// Ten minutes with a burst, recorded and taken in at once. Returns the report.
std::string report_of(std::size_t most_values, bool& in_memory) {
  const base::TempDir scratch;
  const auto directory = scratch.path() / "run";
  auto writer = store::SegmentWriter::create(directory).value();
  pipeline::SyntheticHost host;
  pipeline::PipelineConfig config;
  config.most_values = most_values;
  GrowingRun run(std::move(config));
  EXPECT_TRUE(writer.begin(host.facts));
  EXPECT_TRUE(run.begin(host.facts));
  for (int i = 0; i < 6000; ++i) {
    const auto& frame = host.tick(i >= 3000 && i < 3080);
    EXPECT_TRUE(writer.write(host.channels, frame));
    EXPECT_TRUE(run.write(host.channels, frame));
  }
  EXPECT_TRUE(writer.finish());
  EXPECT_NEAR(static_cast<double>(run.window_count()), 597, 3);
  in_memory = run.is_in_memory();
  const auto pipeline = run.take(directory);
  EXPECT_TRUE(pipeline) << pipeline.error().message();
  const auto report = (*pipeline)->analyze();
  EXPECT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->findings.size(), 1u);
  return report::to_json(*report);
}

TEST(GrowingRun, WhatBecameTooLargeIsReadFromTheRecordingAndHasTheSameReport) {
  bool in_memory = false;
  const auto kept = report_of(0, in_memory);
  EXPECT_TRUE(in_memory);
  // Fewer windows than make a part: it is judged at once, when it is read.
  const auto read = report_of(20'000, in_memory);
  EXPECT_FALSE(in_memory);
  EXPECT_EQ(kept, read);
}

}  // namespace
}  // namespace reveal::replay
