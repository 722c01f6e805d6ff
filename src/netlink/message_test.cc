// Bytes are written as the kernel's headers define them: a test on a big-endian machine would need
// other bytes, and there is none among ours.
#include "netlink/message.h"

#include <gmock/gmock.h>

#include "netlink/message_bytes.h"

namespace reveal::netlink {
namespace {

MessageBytes text(std::string_view value) {
  return MessageBytes().text(value);
}

TEST(Load, OnlyWhatIsThere) {
  const auto four = MessageBytes().u32(0x01020304);
  EXPECT_EQ(load<std::uint32_t>(four.bytes()), 0x01020304U);
  EXPECT_EQ(load<std::uint16_t>(four.bytes(), 2), 0x0102U);
  EXPECT_EQ(load<std::uint16_t>(four.bytes(), 3), std::nullopt);
  EXPECT_EQ(load<std::uint8_t>(four.bytes(), 4), std::nullopt);
  EXPECT_EQ(load<std::uint64_t>(four.bytes()), std::nullopt);
  EXPECT_EQ(load<std::uint8_t>(four.bytes(), ~std::size_t{0}), std::nullopt);
}

TEST(Messages, OneAfterTheOtherWithPadding) {
  MessageBytes bytes;
  bytes.message(20, MessageBytes().zeros(5)).message(3, MessageBytes().u32(0));
  MessageCursor cursor(bytes.bytes());
  Message message;
  ASSERT_TRUE(cursor.next(message));
  EXPECT_EQ(message.type, 20);
  EXPECT_EQ(message.sequence, 1u);
  EXPECT_EQ(message.payload.size(), 5u);
  ASSERT_TRUE(cursor.next(message));
  EXPECT_EQ(message.type, 3);
  EXPECT_FALSE(cursor.next(message));
  EXPECT_FALSE(cursor.broken());
}

TEST(Messages, ImpossibleLengthsEndTheWalk) {
  for (const std::uint32_t length : {0u, 4u, 15u, 21u, 0xFFFFFFFFu}) {
    const auto bytes = MessageBytes().u32(length).u16(20).u16(0).u32(1).u32(0).u32(7);
    MessageCursor cursor(bytes.bytes());
    Message message;
    EXPECT_FALSE(cursor.next(message)) << length;
    EXPECT_TRUE(cursor.broken()) << length;
  }
}

TEST(Messages, CutAnywhereIsBrokenAndNeverRead) {
  MessageBytes bytes;
  bytes.message(20, MessageBytes().u32(7));
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    MessageCursor cursor(bytes.bytes().first(size));
    Message message;
    EXPECT_FALSE(cursor.next(message)) << size;
    EXPECT_TRUE(cursor.broken()) << size;
  }
}

TEST(Attributes, BehindAStructureAndWithoutTheTypesFlags) {
  MessageBytes bytes;
  bytes.zeros(8).attribute(1, text("mlx5_0")).attribute(2 | 0x8000, MessageBytes().u64(9));
  AttributeCursor cursor(bytes.bytes(), 8);
  Attribute attribute;
  ASSERT_TRUE(cursor.next(attribute));
  EXPECT_EQ(attribute.text(), "mlx5_0");
  ASSERT_TRUE(cursor.next(attribute));
  EXPECT_EQ(attribute.type, 2);
  EXPECT_EQ(load<std::uint64_t>(attribute.payload), 9u);
  EXPECT_FALSE(cursor.next(attribute));
  EXPECT_FALSE(cursor.broken());
}

TEST(Attributes, ShorterThanTheStructureIsBroken) {
  const auto bytes = MessageBytes().zeros(7);
  AttributeCursor cursor(bytes.bytes(), 8);
  Attribute attribute;
  EXPECT_FALSE(cursor.next(attribute));
  EXPECT_TRUE(cursor.broken());
}

TEST(Attributes, LastOneMayLackItsPadding) {
  MessageBytes bytes;
  bytes.attribute(1, text("abcd"));
  AttributeCursor cursor(bytes.bytes().first(4 + 5));
  Attribute attribute;
  ASSERT_TRUE(cursor.next(attribute));
  EXPECT_EQ(attribute.text(), "abcd");
  EXPECT_FALSE(cursor.next(attribute));
  EXPECT_FALSE(cursor.broken());
}

}  // namespace
}  // namespace reveal::netlink
