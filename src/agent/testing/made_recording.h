// A recording of a synthetic host, for tests of what copies recordings.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

#include "pipeline/testing/synthetic_host.h"
#include "store/segment_writer.h"

namespace reveal::agent {

// Records so many seconds, ten ticks each, into `recording`. To be called by a test.
inline void record(const std::filesystem::path& recording, int seconds) {
  pipeline::SyntheticHost host;
  auto writer = store::SegmentWriter::create(recording);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->begin(host.facts));
  for (int i = 0; i < 10 * seconds; ++i) ASSERT_TRUE(writer->write(host.channels, host.tick()));
  ASSERT_TRUE(writer->finish());
}

}  // namespace reveal::agent
