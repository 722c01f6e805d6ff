#include "exchange/blanks.h"

#include <bit>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::exchange {
namespace {

using testing::ElementsAre;

constexpr double kAll32 = 4294967295;

// Returns a series as gathering has it, a sample a second.
Series gathered(const std::vector<std::string_view>& texts) {
  Gathering all;
  const auto id = all.series({"a", ""}, "a");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    all.add(id, static_cast<std::int64_t>(i), *text::parse_number(texts[i]));
  }
  return all.all().front();
}

// Returns the values that are left, in the order of time.
std::vector<double> left_of(const std::vector<std::string_view>& texts) {
  Series series = gathered(texts);
  const std::size_t before = series.bits.size() + series.doubtful.size();
  const std::size_t blanks = settle_blanks(series);
  EXPECT_EQ(blanks, before - series.bits.size());
  EXPECT_TRUE(series.doubtful.empty());
  std::vector<std::size_t> order(series.bits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return series.times_ns[i]; });
  std::vector<double> out;
  out.reserve(order.size());
  for (const std::size_t i : order) {
    out.push_back(series.real ? std::bit_cast<double>(series.bits[i])
                              : static_cast<double>(series.bits[i]));
  }
  return out;
}

TEST(Blanks, ALevelThatIsNotThereIsNone) {
  EXPECT_THAT(left_of({"40", "4294967295", "41", "2147483632", "2147483632", "42"}),
              ElementsAre(40, 41, 42));
  EXPECT_THAT(left_of({"4294967295", "41", "2147483647"}), ElementsAre(41));
  EXPECT_THAT(left_of({"4294967295", "4294967295"}), ElementsAre());
  EXPECT_THAT(left_of({"0.5", "140737488355328.0", "0.25"}), ElementsAre(0.5, 0.25));
}

// The bytes of a link at 1 GB/s, and slower ones: 32 bits do not end them.
TEST(Blanks, ACounterGoesBy) {
  EXPECT_THAT(left_of({"2294967295", "3294967295", "4294967295", "5294967295"}),
              ElementsAre(2294967295.0, 3294967295.0, 4294967295.0, 5294967295.0));
  EXPECT_THAT(left_of({"4294967290", "4294967295", "4294967295", "4294967299"}),
              ElementsAre(4294967290.0, 4294967295.0, 4294967295.0, 4294967299.0));
  EXPECT_THAT(left_of({"2147483600", "2147483640", "2147483700"}),
              ElementsAre(2147483600.0, 2147483640.0, 2147483700.0));
}

TEST(Blanks, ACounterOf32BitsBeginsAnew) {
  EXPECT_THAT(left_of({"4294967000", "4294967295", "250"}), ElementsAre(4294967000.0, kAll32, 250));
}

// The counters of an InfiniBand port stay at their highest number.
TEST(Blanks, ACounterStaysAtItsEnd) {
  EXPECT_THAT(left_of({"4290000000", "4294967295", "4294967295", "4294967295"}),
              ElementsAre(4290000000.0, kAll32, kAll32, kAll32));
}

TEST(Blanks, SeveralBetweenFarNumbersAreNone) {
  EXPECT_THAT(left_of({"0", "4294967295", "4294967295", "8000000000"}),
              ElementsAre(0, 8000000000.0));
}

TEST(Blanks, AWholeNumberStaysExactAndARealOneMakesTheSeriesReal) {
  Series whole = gathered(
      {"9223372036854775790", "9223372036854775793", "9223372036854775807", "9223372036854775810"});
  EXPECT_EQ(settle_blanks(whole), 0u);
  EXPECT_FALSE(whole.real);
  EXPECT_THAT(whole.bits, ElementsAre(9223372036854775790u, 9223372036854775810u,
                                      9223372036854775793u, 9223372036854775807u));
  Series real = gathered({"140737488355320", "140737488355329.5"});
  EXPECT_EQ(settle_blanks(real), 0u);
  EXPECT_TRUE(real.real);
}

}  // namespace
}  // namespace reveal::exchange
