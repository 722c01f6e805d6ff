// The clock's error, against another call of the same kernel.
#include <gtest/gtest.h>
#include <sys/timex.h>

#include "collect/registry.h"
#include "collect/testing/live_collector.h"

namespace reveal::collect {
namespace {

// ntp_gettime() is another way to ask the same of the kernel; its bound grows between the calls.
TEST(ClockLive, AgreesWithNtpGettime) {
  struct ntptimeval before {};
  const int state = ::ntp_gettime(&before);
  const LiveCollector live(find_collector("clock")->make());
  const auto max_error = live.real("cpu_clock_max_error_seconds");
  ASSERT_TRUE(max_error);
  EXPECT_NEAR(*max_error, static_cast<double>(before.maxerror) * 1e-6, 0.01);
  EXPECT_DOUBLE_EQ(live.real("cpu_clock_estimated_error_seconds").value(),
                   static_cast<double>(before.esterror) * 1e-6);
  EXPECT_EQ(live.whole("cpu_clock_unsynchronized_flag"), state == TIME_ERROR ? 1u : 0u);
}

}  // namespace
}  // namespace reveal::collect
