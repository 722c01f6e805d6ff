// Feeds a synthetic host to a frame sink, as a recording or a recorder would.
#pragma once

#include <gtest/gtest.h>

#include "model/frame.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::live {

// Ten ticks a second, with the host's burst or without. To be called by a test.
inline void feed(model::FrameSink& sink, pipeline::SyntheticHost& host, int seconds,
                 bool burst = false) {
  for (int i = 0; i < seconds * 10; ++i) {
    const auto done = sink.write(host.channels, host.tick(burst));
    ASSERT_TRUE(done) << done.error().message();
  }
}

}  // namespace reveal::live
