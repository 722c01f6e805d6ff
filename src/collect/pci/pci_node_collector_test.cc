#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/told_facts.h"

namespace reveal::collect {
namespace {

using ::testing::IsEmpty;

using PciNodeFacts = ToldFacts;

TEST_F(PciNodeFacts, OfTheNodesOfDevices) {
  open(find_collector("pci_node")->make());
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(value("gpu_pci_numa_node{pci=0000:17:00.0}"), 0u);
  EXPECT_EQ(value("gpu_pci_numa_node{pci=0000:65:00.0}"), 1u);
  EXPECT_EQ(value("storage_pci_numa_node{pci=0000:d8:00.0}"), 1u);
  EXPECT_EQ(channels_.channel_count(), 4u);  // no bridge, no adapter, and no node of -1
}

}  // namespace
}  // namespace reveal::collect
