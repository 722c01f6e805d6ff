#include "top/controls.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::top {
namespace {

constexpr Extent kExtent{5, 100, 30, 8};

void type(Controls& controls, const std::string& text) {
  for (const char byte : text) press(controls, {Key::Kind::kText, byte}, kExtent);
}

void press(Controls& controls, Key::Kind kind) {
  press(controls, Key{kind, 0}, kExtent);
}

TEST(Controls, QuitsOnQButNotWhileAFilterIsTyped) {
  Controls controls;
  type(controls, "/quiet");
  EXPECT_FALSE(controls.quit);
  EXPECT_EQ(controls.filter, "quiet");
  press(controls, Key::Kind::kEnter);
  type(controls, "q");
  EXPECT_TRUE(controls.quit);
}

TEST(Controls, AFilterCanBeCorrectedAndCleared) {
  Controls controls;
  type(controls, "/a\xc3\xbc");
  press(controls, Key::Kind::kErase);
  EXPECT_EQ(controls.filter, "a");  // both bytes are gone
  press(controls, Key::Kind::kEscape);
  EXPECT_EQ(controls.filter, "");
  EXPECT_FALSE(controls.typing);
}

TEST(Controls, ScrollingStaysWithinTheChannels) {
  Controls controls;
  press(controls, Key::Kind::kUp);
  EXPECT_EQ(controls.scroll, 0u);
  for (int i = 0; i < 10; ++i) press(controls, Key::Kind::kPageDown);
  EXPECT_EQ(controls.scroll, 22u);
  press(controls, Key::Kind::kUp);
  EXPECT_EQ(controls.scroll, 21u);
  press(controls, Key::Kind::kPageUp);
  EXPECT_EQ(controls.scroll, 13u);
  type(controls, "/x");  // fewer channels: from the first one
  EXPECT_EQ(controls.scroll, 0u);
}

TEST(Controls, TimeIsMovedOverAndPaused) {
  Controls controls;
  press(controls, Key::Kind::kRight);
  EXPECT_FALSE(controls.at);  // the newest window is shown, and goes on
  press(controls, Key::Kind::kLeft);
  EXPECT_EQ(controls.at, 99u);
  press(controls, Key::Kind::kRight);
  press(controls, Key::Kind::kRight);
  EXPECT_EQ(controls.at, 100u);
  type(controls, "p");
  EXPECT_FALSE(controls.at);
  type(controls, "p");
  EXPECT_EQ(controls.at, 100u);
  press(controls, Key::Kind::kHome);
  press(controls, Key::Kind::kLeft);
  EXPECT_EQ(controls.at, 5u);
  press(controls, Key::Kind::kEnd);
  EXPECT_FALSE(controls.at);
}

TEST(Controls, AnyKeyLeavesTheHelp) {
  Controls controls;
  type(controls, "?");
  EXPECT_TRUE(controls.help);
  type(controls, "/");
  EXPECT_FALSE(controls.help);
  EXPECT_FALSE(controls.typing);
}

}  // namespace
}  // namespace reveal::top
