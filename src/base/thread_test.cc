#include "base/thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace reveal::base {
namespace {

TEST(StartThread, RunsItsBody) {
  int ran = 0;
  auto thread = start_thread("a test", [&] { ran = 1; });
  ASSERT_TRUE(thread);
  thread->join();
  EXPECT_EQ(ran, 1);
}

// Without address space there is no stack for it. In a process of its own: the limit is for good.
TEST(StartThreadDeathTest, IsAnErrorIfTheSystemRefusesAndNotTheEndOfTheProgram) {
  const auto refused = [] {
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_AS, &none) != 0) std::_Exit(2);
    const auto thread = start_thread("a test", [] {});
    std::_Exit(thread ? 1 : 0);
  };
  EXPECT_EXIT(refused(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace reveal::base
