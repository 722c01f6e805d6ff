#include "text/utf8.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

std::string mend(std::string_view text) {
  std::string storage;
  return std::string(as_utf8(text, storage));
}

TEST(AsUtf8, LeavesUtf8Alone) {
  for (const char* text :
       {"", "eth0", "\x7F", "\xC2\x80", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xE2\x82\xAC z"}) {
    std::string storage;
    EXPECT_EQ(as_utf8(text, storage).data(), text);
  }
}

// Table 3-7 of the Unicode standard says which bytes may follow which. "?" stands for U+FFFD.
TEST(AsUtf8, ReplacesEachByteThatIsNone) {
  const auto shown = [](std::string_view text) {
    std::string out = mend(text);
    for (std::size_t at = 0; (at = out.find("\xEF\xBF\xBD", at)) != std::string::npos;) {
      out.replace(at, 3, "?");
    }
    return out;
  };
  EXPECT_EQ(shown("a\xFFz"), "a?z");
  EXPECT_EQ(shown("\x80"), "?");
  EXPECT_EQ(shown("\xC0\x80"), "??");            // overlong
  EXPECT_EQ(shown("\xE0\x9F\xBF"), "???");       // overlong
  EXPECT_EQ(shown("\xED\xA0\x80"), "???");       // a surrogate
  EXPECT_EQ(shown("\xF4\x90\x80\x80"), "????");  // above U+10FFFF
  EXPECT_EQ(shown("\xE2\x82"), "??");            // cut off
  EXPECT_EQ(shown("\xE2\x82z"), "??z");
  EXPECT_EQ(shown("\xC3\xA9\xFF\xC3\xA9"), "\xC3\xA9?\xC3\xA9");
}

}  // namespace
}  // namespace reveal::text
