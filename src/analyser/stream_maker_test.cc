#include "analyser/stream_maker.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::analyser {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(StreamMaker, TriesUntilTheBrokerIsThere) {
  bool is_away = true;
  int tries = 0;
  std::vector<std::string> lines;
  StreamMaker maker(
      [&]() -> base::Result<void> {
        ++tries;
        if (is_away) return base::fail(base::ErrorKind::kIo, "no connection to the broker");
        return {};
      },
      [&](std::string_view line) { lines.emplace_back(line); });
  // A minute in rounds of 100 ms: pauses get up to ten seconds long.
  std::int64_t steady_ns = 0;
  const auto run = [&] {
    for (int i = 0; i < 600; ++i) maker.round(steady_ns += 100'000'000);
  };
  run();
  EXPECT_FALSE(maker.is_done());
  EXPECT_GT(tries, 5);
  EXPECT_LT(tries, 60);
  is_away = false;
  run();
  EXPECT_TRUE(maker.is_done());
  const auto made = tries;
  run();
  EXPECT_EQ(tries, made);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("not made yet: no connection to the broker"),
                                 "the streams are made"));
}

}  // namespace
}  // namespace reveal::analyser
