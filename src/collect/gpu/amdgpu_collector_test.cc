// Expected values are read off tests/hosts/epyc-1socket by eye.
#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/sysfs_copy.h"

namespace reveal::collect {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const std::string kAccelerator = "devices/pci0000:80/0000:80:01.1/0000:83:00.0/";

TEST(Amdgpu, SaysHowAnAcceleratorIsPartitioned) {
  SysfsCopy host("epyc-1socket", find_collector("amdgpu")->make());
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_THAT(host.facts(),
              UnorderedElementsAre(Pair("compute partition of gpu 0000:83:00.0", "SPX"),
                                   Pair("memory partition of gpu 0000:83:00.0", "NPS1")));
  host.tick();
  EXPECT_THAT(host.facts(), IsEmpty()) << "said again without a change";
  host.write(kAccelerator + "current_compute_partition", "CPX\n");
  host.tick();
  EXPECT_THAT(host.facts(),
              UnorderedElementsAre(Pair("compute partition of gpu 0000:83:00.0", "CPX")));
}

// A card that comes makes the collector look for all of them anew.
TEST(Amdgpu, WhatWasSaidIsNoNewsAfterAnotherScan) {
  SysfsCopy host("epyc-1socket", find_collector("amdgpu")->make());
  ASSERT_TRUE(host.open());
  host.tick();
  host.write("class/drm/card9/dev", "226:9\n");
  host.tick();
  EXPECT_THAT(host.facts(), IsEmpty());
}

}  // namespace
}  // namespace reveal::collect
