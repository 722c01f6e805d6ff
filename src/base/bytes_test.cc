#include "base/bytes.h"

#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::base {
namespace {

using testing::ElementsAre;

Bytes varint(std::uint64_t value) {
  Bytes out;
  put_varint(out, value);
  return out;
}

Bytes zigzag(std::int64_t value) {
  Bytes out;
  put_zigzag(out, value);
  return out;
}

// The vectors are those that the base-128 scheme defines by hand.
TEST(Varint, KnownEncodings) {
  EXPECT_THAT(varint(0), ElementsAre(0x00));
  EXPECT_THAT(varint(127), ElementsAre(0x7F));
  EXPECT_THAT(varint(128), ElementsAre(0x80, 0x01));
  EXPECT_THAT(varint(300), ElementsAre(0xAC, 0x02));
  EXPECT_THAT(varint(std::numeric_limits<std::uint64_t>::max()),
              ElementsAre(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01));
  EXPECT_THAT(zigzag(0), ElementsAre(0x00));
  EXPECT_THAT(zigzag(-1), ElementsAre(0x01));
  EXPECT_THAT(zigzag(1), ElementsAre(0x02));
  EXPECT_THAT(zigzag(-64), ElementsAre(0x7F));
  EXPECT_THAT(zigzag(std::numeric_limits<std::int64_t>::min()),
              ElementsAre(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01));
}

TEST(Varint, EveryBitAndItsNeighborsRoundTrip) {
  for (int shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t value : {(1ull << shift) - 1, 1ull << shift, (1ull << shift) + 1}) {
      const Bytes plain = varint(value);
      EXPECT_EQ(ByteCursor(plain).varint(), value);
      const auto negative = static_cast<std::int64_t>(~value);
      const Bytes folded = zigzag(negative);
      EXPECT_EQ(ByteCursor(folded).zigzag(), negative);
    }
  }
}

TEST(Varint, DifferencesWrapAround) {
  const std::uint64_t big = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1} << 63, big}) {
    for (const std::uint64_t to : {std::uint64_t{0}, std::uint64_t{1} << 63, big}) {
      Bytes out;
      put_difference(out, from, to);
      EXPECT_EQ(ByteCursor(out).plus_difference(from), to);
    }
  }
}

TEST(ByteCursor, AFieldThatDoesNotFitTurnsItBadForGood) {
  const Bytes endless(11, 0x80);
  const Bytes too_great{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02};
  const Bytes cut{0x80};
  for (const Bytes& bytes : {endless, too_great, cut, Bytes{}}) {
    ByteCursor in(bytes);
    EXPECT_EQ(in.varint(), 0u);
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.u8(), 0);
    EXPECT_FALSE(in.ok());
  }
  const Bytes lying{0x05, 'a', 'b'};
  ByteCursor in(lying);
  EXPECT_EQ(in.text(), "");
  EXPECT_FALSE(in.ok());
}

TEST(ByteCursor, FixedIntegersAreLittleEndian) {
  Bytes out;
  put_u16(out, 0x0201);
  put_u32(out, 0x06050403);
  put_u64(out, 0x0E0D0C0B0A090807);
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
  ByteCursor in(out);
  EXPECT_EQ(in.u16(), 0x0201);
  EXPECT_EQ(in.u32(), 0x06050403u);
  EXPECT_EQ(in.u64(), 0x0E0D0C0B0A090807u);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 0u);
}

}  // namespace
}  // namespace reveal::base
