#include "wire/fields.h"

#include <bit>
#include <cmath>

#include "text/utf8.h"

namespace reveal::wire {
namespace {

constexpr int kVarintBytes = 10;

void put_little_endian(Bytes& out, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Cuts UTF-8 to at most `most` bytes, before a character.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_character(text[most])) --most;
  return text.substr(0, most);
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
  const auto bits = static_cast<std::uint64_t>(value);
  put_varint(out, value < 0 ? ~(bits << 1) : bits << 1);
}

void put_f32(Bytes& out, float value) {
  put_u32(out, std::bit_cast<std::uint32_t>(value));
}

std::string fitting(std::string_view text, std::size_t most) {
  std::string mended;
  return std::string(cut(text::as_utf8(text, mended), most));
}

void put_text(Bytes& out, std::string_view text, std::size_t most) {
  std::string mended;
  const auto sound = cut(text::as_utf8(text, mended), most);
  put_varint(out, sound.size());
  out.insert(out.end(), sound.begin(), sound.end());
}

std::uint64_t Reader::bad() {
  ok_ = false;
  rest_ = {};
  return 0;
}

std::uint64_t Reader::little_endian(std::size_t count) {
  if (rest_.size() < count) return bad();
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < count; ++i) out |= std::uint64_t{rest_[i]} << (8 * i);
  rest_ = rest_.subspan(count);
  return out;
}

std::uint8_t Reader::u8() {
  return static_cast<std::uint8_t>(little_endian(1));
}
std::uint16_t Reader::u16() {
  return static_cast<std::uint16_t>(little_endian(2));
}
std::uint32_t Reader::u32() {
  return static_cast<std::uint32_t>(little_endian(4));
}
std::uint64_t Reader::u64() {
  return little_endian(8);
}

std::uint64_t Reader::varint() {
  std::uint64_t out = 0;
  for (int i = 0; i < kVarintBytes; ++i) {
    if (rest_.empty()) return bad();
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    if (i == kVarintBytes - 1 && byte > 1) return bad();
    out |= std::uint64_t{byte & 0x7FU} << (7 * i);
    if (byte < 0x80) return byte == 0 && i > 0 ? bad() : out;
  }
  return bad();
}

std::int64_t Reader::zigzag() {
  const std::uint64_t bits = varint();
  return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

float Reader::f32() {
  const auto value = std::bit_cast<float>(u32());
  if (!std::isnan(value)) return value;
  bad();
  return 0;
}

std::uint64_t Reader::varint_within(std::uint64_t least, std::uint64_t most) {
  const std::uint64_t value = varint();
  return value < least || value > most ? bad() : value;
}

std::uint8_t Reader::u8_up_to(std::uint8_t most) {
  const std::uint8_t value = u8();
  if (value > most) bad();
  return ok_ ? value : 0;
}

std::string Reader::text(std::size_t least, std::size_t most) {
  const auto found = bytes(varint_within(least, most));
  const std::string out(found.begin(), found.end());
  std::string mended;
  if (ok_ && text::as_utf8(out, mended) == out) return out;
  bad();
  return {};
}

ByteView Reader::bytes(std::size_t count) {
  if (rest_.size() < count) {
    bad();
    return {};
  }
  const auto out = rest_.first(count);
  rest_ = rest_.subspan(count);
  return out;
}

}  // namespace reveal::wire
