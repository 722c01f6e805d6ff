#include "text/safe_text.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(SafeText, KeepsWhatIsHarmlessAndCountsItsColumns) {
  EXPECT_EQ(safe_text("µs · Größe 負荷 🚀", true), "µs · Größe 負荷 🚀");
  EXPECT_EQ(safe_text("a\nb", true), "a?b");
  EXPECT_EQ(safe_text("e\xcc\x81", true), "e?");  // a combining accent
  EXPECT_EQ(safe_text("\xc0\xaf", true), "??");   // an overlong slash
  EXPECT_EQ(safe_text("µ", false), "?");
  EXPECT_EQ(columns_of("負荷a🚀"), 7u);
  EXPECT_EQ(cut("負荷", 3), "負");
  EXPECT_EQ(padded("負荷", 3), "負 ");
  EXPECT_EQ(right_aligned("ab", 4), "  ab");
  EXPECT_EQ(shortened("abcdefghij", 10, "~"), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghij", 6, "~"), "abc~ij");
  EXPECT_EQ(shortened("負荷負荷", 5, "…"), "負…荷");
  EXPECT_EQ(shortened("abc", 0, "~"), "");
}

}  // namespace
}  // namespace reveal::text
