#include "text/byte_count.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(ByteCount, UnitsOfEverydayUse) {
  const auto check = [](std::string_view text, std::uint64_t bytes) {
    const auto parsed = parse_byte_count(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, bytes) << text;
  };
  check("1B", 1);
  check("64KiB", 65'536);
  check("0.5MiB", 524'288);
  check("10GiB", 10'737'418'240);
  check("1TiB", 1'099'511'627'776);
  check("3kB", 3'000);
  check("20MB", 20'000'000);
  check("1.5GB", 1'500'000'000);
  check("2TB", 2'000'000'000'000);
  check("10G", 10'000'000'000);
  check("500M", 500'000'000);
}

TEST(ByteCount, RefusesWhatCouldMeanAnything) {
  for (const auto* text :
       {"", "GiB", "3", "-1GiB", "0B", "0.1B", "3 GiB", "3gib", "1e400B", "nanB", "9e9TiB"}) {
    const auto parsed = parse_byte_count(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, base::ErrorKind::kUsage) << text;
    EXPECT_FALSE(parsed.error().remedy.empty());
  }
}

}  // namespace
}  // namespace reveal::text
