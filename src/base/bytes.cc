#include "base/bytes.h"

namespace reveal::base {
namespace {

void put_little_endian(Bytes& out, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

}  // namespace

void put_u16(Bytes& out, std::uint16_t value) {
  put_little_endian(out, value, 2);
}
void put_u32(Bytes& out, std::uint32_t value) {
  put_little_endian(out, value, 4);
}
void put_u64(Bytes& out, std::uint64_t value) {
  put_little_endian(out, value, 8);
}

void put_varint(Bytes& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<std::uint8_t>(value));
}

void put_zigzag(Bytes& out, std::int64_t value) {
  const auto sign = static_cast<std::uint64_t>(value >> 63);
  put_varint(out, (static_cast<std::uint64_t>(value) << 1) ^ sign);
}

void put_text(Bytes& out, std::string_view text) {
  put_varint(out, text.size());
  put_bytes(out, as_bytes(text));
}

void put_bytes(Bytes& out, ByteView bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_difference(Bytes& out, std::uint64_t from, std::uint64_t to) {
  put_zigzag(out, static_cast<std::int64_t>(to - from));
}

ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t ByteCursor::bad() {
  ok_ = false;
  rest_ = {};
  return 0;
}

std::uint64_t ByteCursor::little_endian(std::size_t count) {
  if (rest_.size() < count) return bad();
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{rest_[i]} << (8 * i);
  rest_ = rest_.subspan(count);
  return value;
}

std::uint8_t ByteCursor::u8() {
  return static_cast<std::uint8_t>(little_endian(1));
}
std::uint16_t ByteCursor::u16() {
  return static_cast<std::uint16_t>(little_endian(2));
}
std::uint32_t ByteCursor::u32() {
  return static_cast<std::uint32_t>(little_endian(4));
}
std::uint64_t ByteCursor::u64() {
  return little_endian(8);
}

std::uint64_t ByteCursor::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    if (!ok_ || (shift == 63 && byte > 1)) return bad();
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return bad();
}

std::int64_t ByteCursor::zigzag() {
  const std::uint64_t value = varint();
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

std::string_view ByteCursor::text() {
  return as_text(bytes(varint()));
}

ByteView ByteCursor::bytes(std::uint64_t count) {
  if (rest_.size() < count) {
    bad();
    return {};
  }
  const ByteView out = rest_.first(static_cast<std::size_t>(count));
  rest_ = rest_.subspan(out.size());
  return out;
}

std::uint64_t ByteCursor::plus_difference(std::uint64_t from) {
  return from + static_cast<std::uint64_t>(zigzag());
}

}  // namespace reveal::base
