#include "text/ascii.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

void set(const char* lc_all, const char* lang) {
  ::unsetenv("LC_CTYPE");
  ::setenv("LC_ALL", lc_all, 1);
  ::setenv("LANG", lang, 1);
}

TEST(Ascii, IsWantedIfTheFirstVariableThatIsSetNamesAnotherCharacterSet) {
  set("C", "en_US.UTF-8");
  EXPECT_TRUE(is_ascii_wanted());
  set("", "POSIX");
  EXPECT_TRUE(is_ascii_wanted());
  set("", "de_DE.ISO-8859-1");
  EXPECT_TRUE(is_ascii_wanted());
  set("C.utf8", "C");
  EXPECT_FALSE(is_ascii_wanted());
  set("", "en_US.UTF-8");
  EXPECT_FALSE(is_ascii_wanted());
  set("", "");
  EXPECT_FALSE(is_ascii_wanted());
}

TEST(Ascii, HasAFormForWhatReportsDraw) {
  EXPECT_EQ(to_ascii("cpu ██░ 74 % (± 2), (3 KiB)²"), "cpu ##. 74 % (+- 2), (3 KiB)^2");
  EXPECT_EQ(to_ascii("▁▂▃▄▅▆▇█"), "_.-=+*%#");
  EXPECT_EQ(to_ascii("host-\u540d"), "host-?");
  EXPECT_EQ(to_ascii("plain\n\x1b[1m"), "plain\n\x1b[1m");
}

}  // namespace
}  // namespace reveal::text
