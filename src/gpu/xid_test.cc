#include "gpu/xid.h"

#include <gtest/gtest.h>

namespace reveal::gpu {
namespace {

TEST(Xid, EveryCodeIsFoundInTheTable) {
  // The codes of NVIDIA's catalog that operators meet most.
  for (const std::uint64_t code :
       {8U, 13U, 31U, 43U, 45U, 48U, 63U, 64U, 74U, 79U, 92U, 94U, 95U, 119U, 140U, 154U}) {
    EXPECT_EQ(xid_meaning(code).code, code);
    EXPECT_FALSE(xid_meaning(code).meaning.empty()) << code;
  }
}

TEST(Xid, SaysWhoseFaultItUsuallyIs) {
  EXPECT_EQ(xid_meaning(79).fault, XidFault::kHardware);
  EXPECT_EQ(xid_meaning(31).fault, XidFault::kApplication);
  EXPECT_EQ(xid_meaning(119).fault, XidFault::kDriver);
  EXPECT_EQ(describe_xid(79), "XID 79 (the GPU has fallen off the bus; hardware)");
}

TEST(Xid, UnknownCodesAreOnlyNumbers) {
  for (const std::uint64_t code : {0U, 7U, 999U, ~0U}) {
    EXPECT_EQ(xid_meaning(code).fault, XidFault::kUnknown);
    EXPECT_TRUE(xid_meaning(code).meaning.empty());
  }
  EXPECT_EQ(describe_xid(7), "XID 7");
}

}  // namespace
}  // namespace reveal::gpu
