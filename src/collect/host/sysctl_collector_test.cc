#include <bit>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/told_facts.h"

namespace reveal::collect {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using SysctlFacts = ToldFacts;

TEST_F(SysctlFacts, OfKernelParameters) {
  open(find_collector("sysctl")->make());
  EXPECT_THAT(news(), ElementsAre(Pair("TCP congestion control", "htcp"),
                                  Pair("default queueing discipline", "fq_codel")));
  EXPECT_EQ(value("memory_swappiness_level"), 10u);
  EXPECT_EQ(value("memory_numa_balancing_mode"), 1u);
  EXPECT_EQ(value("network_tcp_receive_buffer_maximum_bytes"), 134217728u);
  const auto runtime = value("cpu_realtime_runtime_seconds");
  ASSERT_TRUE(runtime);
  EXPECT_EQ(std::bit_cast<double>(*runtime), -1.0);
}

}  // namespace
}  // namespace reveal::collect
