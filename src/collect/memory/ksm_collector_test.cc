#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Ksm, PagesAreToldInBytes) {
  TestHost host(*find_collector("ksm"));
  host.write("sys/kernel/mm/ksm/pages_sharing", "10\n");
  host.write("sys/kernel/mm/ksm/full_scans", "3\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_ksm_saved_bytes"), 10.0 * static_cast<double>(::getpagesize()));
  EXPECT_EQ(host.value("memory_ksm_scans_total"), 3);
}

}  // namespace
}  // namespace reveal::collect
