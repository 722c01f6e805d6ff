#include "record/address_space.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace reveal::record {
namespace {

void fit_below(rlim_t mebibytes) {
  const rlimit limit{mebibytes << 20, mebibytes << 20};
  ::setrlimit(RLIMIT_AS, &limit);
  std::_Exit(fit_into_address_space() ? 1 : 0);
}

TEST(AddressSpaceDeathTest, FewAddressesAreRefusedBeforeAnythingIsOpened) {
#if defined(REVEAL_SANITIZED)
  GTEST_SKIP() << "a sanitizer reserves terabytes of addresses";
#endif
  EXPECT_EXIT(fit_below(400), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(fit_below(4000), testing::ExitedWithCode(1), "");
  EXPECT_TRUE(fit_into_address_space());
}

}  // namespace
}  // namespace reveal::record
