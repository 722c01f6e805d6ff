#include "text/safe_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "text/palette.h"

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
  EXPECT_EQ(shortened("CPU time in /slurm/uid_10/job_4242", 28, "..."),
            "CPU time.../uid_10/job_4242");
  EXPECT_EQ(shortened("on 0000:00:04.0 of the host", 20, "~"), "on~ of the host");
  EXPECT_EQ(shortened("/pod0f3a2b1c/x", 9, "~"), "/pod~1c/x");
  EXPECT_EQ(shortened("負荷負荷", 5, "…"), "負…荷");
  EXPECT_EQ(shortened("abc", 0, "~"), "");
}

TEST(SafeText, NothingInItSteersATerminal) {
  EXPECT_EQ(SafeText("ev\x1b[31mil\a").view(), "ev?[31mil?");
  EXPECT_EQ(SafeText("a\u202Eb\u2066c\u200Fd\u061Ce").view(), "a?b?c?d?e");  // bidirectional
  EXPECT_EQ(SafeText("a\u009B31mb").view(), "a?31mb");                       // CSI of one character
  EXPECT_EQ(SafeText("a\x9b\xff\xc0\xafz").view(), "a????z");                // not UTF-8
  EXPECT_EQ(SafeText("a\xe2\x82").view(), "a??");                            // cut off
  EXPECT_EQ(SafeText(std::string_view("a\0b", 3)).view(), "a?b");
  EXPECT_EQ(SafeText("two\nlines,\ta tab\r").view(), "two\nlines, a tab?");
  EXPECT_EQ(inert("two\nlines"), "two lines");
}

TEST(SafeText, WordsOfAllScriptsStay) {
  for (const char* text : {"µs · Größe 負荷 🚀", "ملف", "קובץ", "e\xcc\x81", "नोड"}) {
    EXPECT_EQ(SafeText(text).view(), text);
    EXPECT_EQ(inert(text), text);
  }
}

TEST(SafeText, KeepsThePalettesStylesAndNoOthers) {
  const Palette palette(true);
  const std::string all =
      palette.bold("a") + palette.dim("b") + palette.alarm("c") + palette.good("d");
  EXPECT_EQ(SafeText::styled(all).view(), all);
  EXPECT_EQ(SafeText::styled("\x1b[31mred\x1b[2J\x1b]0;title\a").view(), "?[31mred?[2J?]0;title?");
  EXPECT_EQ(SafeText(all).view().find('\x1b'), std::string_view::npos);
}

// Whatever the bytes: of the result nothing is left to replace.
TEST(SafeText, IsSafeOnceAndForAll) {
  base::Rng rng(26);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes.push_back(static_cast<char>(rng.next() & 0xff));
    const SafeText once(bytes);
    EXPECT_EQ(SafeText(once.view()).view(), once.view());
    for (const char c : once.view()) {
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
    }
  }
}

}  // namespace
}  // namespace reveal::text
