#include "base/thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace reveal::base {
namespace {

TEST(StartThread, RunsItsBody) {
  int ran = 0;
  auto thread = start_thread("a test", [&] { ran = 1; });
  ASSERT_TRUE(thread);
  thread->join();
  EXPECT_EQ(ran, 1);
}

// A user who may have no further process or thread. In a process of its own: the limit is for good,
// and root, whom it does not bind, becomes a user without processes first. (Without address space
// would do as well, but not for the address sanitizer, which needs some itself.)
TEST(StartThreadDeathTest, IsAnErrorIfTheSystemRefusesAndNotTheEndOfTheProgram) {
  const auto refused = [] {
    constexpr uid_t kNobody = 65'534;
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) std::_Exit(2);
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) std::_Exit(3);
    const auto thread = start_thread("a test", [] {});
    std::_Exit(thread ? 1 : 0);
  };
  EXPECT_EXIT(refused(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace reveal::base
