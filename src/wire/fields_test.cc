#include "wire/fields.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::wire {
namespace {

TEST(Fields, VarintsAndZigzagsComeBack) {
  base::Rng rng(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t number = rng.next() >> rng.below(64);
    Bytes bytes;
    put_varint(bytes, number);
    put_zigzag(bytes, static_cast<std::int64_t>(number));
    put_zigzag(bytes, -static_cast<std::int64_t>(number / 2));
    Reader in(bytes);
    EXPECT_EQ(in.varint(), number);
    EXPECT_EQ(in.zigzag(), static_cast<std::int64_t>(number));
    EXPECT_EQ(in.zigzag(), -static_cast<std::int64_t>(number / 2));
    EXPECT_TRUE(in.is_done());
  }
}

bool is_varint(const Bytes& bytes) {
  Reader in(bytes);
  in.varint();
  return in.is_done();
}

TEST(Fields, AVarintThatIsLongerThanItMustBeIsRefused) {
  EXPECT_TRUE(is_varint({0}));
  EXPECT_FALSE(is_varint({0x80, 0}));
  EXPECT_FALSE(is_varint({0x80}));
  EXPECT_TRUE(is_varint({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}));
  EXPECT_FALSE(is_varint({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2}));
  EXPECT_FALSE(is_varint({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0}));
}

TEST(Fields, TextsAreMendedAndCutBeforeACharacter) {
  EXPECT_EQ(fitting("aé", 3), "aé");
  EXPECT_EQ(fitting("aé", 2), "a");
  EXPECT_EQ(fitting("\xFF"
                    "a",
                    9),
            "\xEF\xBF\xBD"
            "a");
  EXPECT_EQ(fitting("→", 2), "");
}

std::string read_text(const Bytes& bytes, std::size_t least, std::size_t most) {
  Reader in(bytes);
  const std::string out = in.text(least, most);
  return in.is_done() ? out : "refused";
}

TEST(Fields, TextsOutOfTheirBoundsAreRefused) {
  EXPECT_EQ(read_text({2, 'h', 'i'}, 0, 2), "hi");
  EXPECT_EQ(read_text({2, 'h', 'i'}, 0, 1), "refused");
  EXPECT_EQ(read_text({0}, 1, 2), "refused");
  EXPECT_EQ(read_text({2, 'h'}, 0, 2), "refused");
  EXPECT_EQ(read_text({1, 0xFF}, 0, 2), "refused");
}

TEST(Fields, NothingIsReadAfterAFailure) {
  const Bytes bytes{1, 2, 3};
  Reader in(bytes);
  EXPECT_EQ(in.u64(), 0u);
  EXPECT_EQ(in.u8(), 0u);
  EXPECT_FALSE(in.ok());
  const Bytes nan{0, 0, 0xC0, 0x7F};
  Reader number(nan);
  EXPECT_EQ(number.f32(), 0);
  EXPECT_FALSE(number.ok());
}

}  // namespace
}  // namespace reveal::wire
