// Not fuzzed here: every parser's case reaches it.
#include "procfs/text_cursor.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) out.emplace_back(line);
  return out;
}

std::vector<Value> numbers_of(std::string_view line) {
  std::vector<Value> out;
  WordCursor words(line);
  for (Value value; words.next(value);) out.push_back(value);
  return out;
}

TEST(LineCursor, OnlyCompleteLinesCount) {
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_THAT(lines_of("cut"), ElementsAre());
  EXPECT_THAT(lines_of("a\ncut"), ElementsAre("a"));
  EXPECT_THAT(lines_of("\n\nb\n"), ElementsAre("", "", "b"));
}

TEST(WordCursor, NumbersAreWholeWords) {
  EXPECT_THAT(numbers_of(""), ElementsAre());
  EXPECT_THAT(numbers_of("   "), ElementsAre());
  EXPECT_THAT(numbers_of("0 007\t42 "), ElementsAre(Value(0), Value(7), Value(42)));
  EXPECT_THAT(numbers_of("N/A -1 12x x12 +3 1.5 8"),
              ElementsAre(Value(), Value(), Value(), Value(), Value(), Value(), Value(8)));
}

TEST(WordCursor, NumbersFitSixtyFourBits) {
  EXPECT_THAT(numbers_of("9999999999999999999 18446744073709551615 00000000000000000000001"),
              ElementsAre(Value(9999999999999999999ULL), Value(~0ULL), Value(1)));
  EXPECT_THAT(numbers_of("18446744073709551616 99999999999999999999999 5"),
              ElementsAre(Value(), Value(), Value(5)));
}

TEST(WordCursor, RestSkipsBlanks) {
  WordCursor words("  7   IO-APIC  ttyS0");
  Value value;
  ASSERT_TRUE(words.next(value));
  EXPECT_EQ(words.rest(), "IO-APIC  ttyS0");
}

}  // namespace
}  // namespace reveal::procfs
