#include "settings/free_space.h"

#include <gtest/gtest.h>

namespace reveal::settings {
namespace {

using Kind = FreeSpace::Kind;

TEST(FreeSpace, IsASizeAShareOrWhatIsUsual) {
  const auto f = [](const char* text, Kind kind, std::uint64_t amount) {
    const auto space = parse_free_space(text);
    ASSERT_TRUE(space) << text << ": " << space.error().message();
    EXPECT_EQ(*space, (FreeSpace{kind, amount})) << text;
  };
  f("auto", Kind::kUsual, 0);
  f("10%", Kind::kPercent, 10);
  f("0%", Kind::kPercent, 0);
  f("2GiB", Kind::kBytes, std::uint64_t{2} << 30);
  f("64", Kind::kBytes, std::uint64_t{64} << 20);
  f("0", Kind::kBytes, 0);
  f("1073741824", Kind::kBytes, std::uint64_t{1} << 50);
}

TEST(FreeSpace, IsNothingElse) {
  for (const char* text : {"", "%", "100%", "-1%", "1.5%", "10 %", "1073741825", "-1", "1.5",
                           "much", "10%%", "18446744073709551616"}) {
    EXPECT_FALSE(parse_free_space(text)) << text;
  }
}

TEST(FreeSpace, IsWrittenAsItIsRead) {
  for (const char* text : {"auto", "10%", "0%", "2GiB", "64MiB", "0", "1536KiB"}) {
    EXPECT_EQ(to_string(parse_free_space(text).value()), text);
  }
  EXPECT_EQ(to_string(FreeSpace{Kind::kUsualOfService, 0}), "auto");
}

}  // namespace
}  // namespace reveal::settings
