#include "window/window_choice.h"

#include <limits>

#include <gtest/gtest.h>

namespace reveal::window {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kTick = 100'000'000;

TEST(Length, IsATimeOrANumberOfTicks) {
  EXPECT_EQ(*parse_length("3s")->ns(kTick), 3 * kSecond);
  EXPECT_EQ(*parse_length("30")->ns(kTick), 3 * kSecond);
  EXPECT_EQ(*parse_length("30")->ns(2 * kSecond), 60 * kSecond);
  for (const char* text : {"", "0", "-3", "3x", "s", "1.5", "3 s", "99999999999999999999"}) {
    EXPECT_FALSE(parse_length(text)) << text;
  }
}

TEST(Length, OfMoreTicksThanThereCanBeIsAnError) {
  const auto most = parse_length(std::to_string(std::numeric_limits<std::int64_t>::max()));
  ASSERT_TRUE(most);
  EXPECT_EQ(most->ns(kTick).error().kind, base::ErrorKind::kUsage);
}

TEST(WindowChoice, IsThePapersUnlessTheIntervalIsTooLongForIt) {
  EXPECT_EQ(*WindowChoice().at(kTick), (WindowSpec{kTick, 3 * kSecond, kSecond}));
  EXPECT_EQ(*WindowChoice().at(kSecond), (WindowSpec{kSecond, 10 * kSecond, 5 * kSecond}));
}

// Whoever asks for a length gets it, or an error of WindowSpec::check(), and never another one.
TEST(WindowChoice, IsWhatWasAskedFor) {
  const WindowChoice five{.length = *parse_length("5s"), .stride = std::nullopt};
  EXPECT_EQ(*five.at(kTick), (WindowSpec{kTick, 5 * kSecond, kSecond}));
  EXPECT_EQ(*five.at(2 * kSecond), (WindowSpec{2 * kSecond, 5 * kSecond, kSecond}));
  const WindowChoice ticks{.length = *parse_length("20"), .stride = *parse_length("10")};
  EXPECT_EQ(*ticks.at(kTick), (WindowSpec{kTick, 2 * kSecond, kSecond}));
}

}  // namespace
}  // namespace reveal::window
