#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "window/window_view.h"

namespace reveal::window {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

std::string error_of(WindowSpec spec) {
  const auto result = spec.check();
  if (result) return "";
  EXPECT_EQ(result.error().kind, base::ErrorKind::kUsage);
  return result.error().message();
}

TEST(WindowSpec, AcceptsThePapersChoice) {
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(WindowSpec{}.ticks(), 30U);
  EXPECT_EQ(WindowSpec{}.stride_ticks(), 10U);
}

TEST(WindowSpec, AcceptsTheSmallestWindowAndWindowsThatTouch) {
  EXPECT_EQ(error_of({100 * kMs, 500 * kMs, 500 * kMs}), "");
}

TEST(WindowSpec, RefusesWhatCannotBeCutAndNamesTheFlag) {
  auto f = [](WindowSpec spec, const char* flag, const char* part) {
    EXPECT_THAT(error_of(spec), HasSubstr(flag));
    EXPECT_THAT(error_of(spec), HasSubstr(part));
  };
  f({0, 3000 * kMs, 1000 * kMs}, "--interval", "above zero");
  f({-1, 3000 * kMs, 1000 * kMs}, "--interval", "above zero");
  f({100 * kMs, 0, 1000 * kMs}, "--window", "above zero");
  f({100 * kMs, 3000 * kMs, 0}, "--stride", "above zero");
  f({100 * kMs, 3000 * kMs, -5}, "--stride", "above zero");
  f({1, 3000 * kMs, 1000 * kMs}, "--window", "the most of a window");
  f({100 * kMs, 3'600'000'000'000'000, 100 * kMs}, "--window", "the most of a window");
  f({100 * kMs, 2950 * kMs, 1000 * kMs}, "--window", "3 s would be");
  f({100 * kMs, 3000 * kMs, 1001 * kMs}, "--stride", "1.1 s would be");
  f({100 * kMs, 400 * kMs, 100 * kMs}, "--window", "holds 4 samples");
  f({100 * kMs, 400 * kMs, 100 * kMs}, "--window", "use 0.5 s or more");
  f({100 * kMs, 3000 * kMs, 3100 * kMs}, "--stride", "use 3 s or less");
}

}  // namespace
}  // namespace reveal::window
