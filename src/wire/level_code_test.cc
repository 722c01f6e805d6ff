#include "wire/level_code.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::wire {
namespace {

float random_level(base::Rng& rng) {
  for (;;) {
    const auto level = std::bit_cast<float>(static_cast<std::uint32_t>(rng.next()));
    if (std::isfinite(level)) return level;
  }
}

TEST(LevelCode, OfNothingAndOfWhatIsSmall) {
  const auto floor = floor_of(0.001F);
  EXPECT_EQ(code_of(0, floor), 0);
  EXPECT_EQ(code_of(-0.0F, floor), 0);
  EXPECT_EQ(code_of(0.0009F, floor), 0);
  EXPECT_EQ(code_of(0.001F, floor), 1);
  EXPECT_EQ(code_of(-0.001F, floor), -1);
  EXPECT_EQ(level_of(0, floor), 0);
}

// By hand: 1 is 0x3F800000, and 0x3F800000 / 2^17 is 8128; 1.5 has half of 64 steps more.
TEST(LevelCode, CountsSixtyFourStepsInEachDoubling) {
  EXPECT_EQ(magnitude_of(1), 8128u);
  EXPECT_EQ(magnitude_of(1.5F), 8160u);
  EXPECT_EQ(magnitude_of(2), 8192u);
  EXPECT_EQ(code_of(2, 8128), 65);
  EXPECT_EQ(level_of(65, 8128), 2);
  EXPECT_EQ(level_of(-33, 8128), -1.5F);
}

TEST(LevelCode, OfWhatIsNoNumberSaysThatThereIsNone) {
  for (const float level :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(code_of(level, 1), kAbsent);
  }
  EXPECT_TRUE(std::isnan(level_of(kAbsent, 1)));
  EXPECT_TRUE(std::isnan(level_of(kAbsent, kLargestMagnitude)));
  // A code that no level has with this floor.
  EXPECT_TRUE(std::isnan(level_of(2, kLargestMagnitude)));
}

TEST(LevelCode, OfTheLargestNumberIsFinite) {
  const Code code = code_of(std::numeric_limits<float>::max(), 1);
  EXPECT_EQ(code, static_cast<Code>(kLargestMagnitude));
  EXPECT_TRUE(std::isfinite(level_of(code, 1)));
}

TEST(LevelCode, IsWrongByAFewThousandthsAndKeepsTheOrder) {
  base::Rng rng(1);
  for (int i = 0; i < 100'000; ++i) {
    const float level = random_level(rng);
    const float other = random_level(rng);
    const Code code = code_of(level, 1);
    EXPECT_TRUE(is_code(code));
    if (level < other) {
      EXPECT_LE(code, code_of(other, 1));
    }
    if (std::fabs(level) < 1e-37F || std::fabs(level) > 3e38F) continue;
    EXPECT_LE(std::fabs(level_of(code, 1) - level), 0.0079F * std::fabs(level)) << level;
    // What was told once is told the same again.
    EXPECT_EQ(code_of(level_of(code, 1), 1), code);
  }
}

TEST(LevelCode, OtherNumbersAreNone) {
  EXPECT_FALSE(is_code(16'320));
  EXPECT_FALSE(is_code(-16'320));
  EXPECT_FALSE(is_code(-32'768));
  EXPECT_TRUE(is_code(-16'319));
}

}  // namespace
}  // namespace reveal::wire
