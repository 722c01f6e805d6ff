#include "wire/fields.h"

#include <bit>
#include <cmath>

#include "text/utf8.h"

namespace reveal::wire {
namespace {

// Returns of how many bytes the one encoding of a varint is.
std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
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

std::uint64_t Reader::varint() {
  const std::size_t before = left();
  const std::uint64_t value = cursor_.varint();
  if (!ok() || before - left() == varint_size(value)) return value;
  fail();
  return 0;
}

std::int64_t Reader::zigzag() {
  const std::uint64_t bits = varint();
  return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

float Reader::f32() {
  const auto value = std::bit_cast<float>(u32());
  if (!std::isnan(value)) return value;
  fail();
  return 0;
}

std::uint64_t Reader::varint_within(std::uint64_t least, std::uint64_t most) {
  const std::uint64_t value = varint();
  require(value >= least && value <= most);
  return ok() ? value : 0;
}

std::uint8_t Reader::u8_up_to(std::uint8_t most) {
  const std::uint8_t value = u8();
  require(value <= most);
  return ok() ? value : 0;
}

std::string Reader::text(std::size_t least, std::size_t most) {
  const auto found = bytes(varint_within(least, most));
  const std::string out(found.begin(), found.end());
  std::string mended;
  if (ok() && text::as_utf8(out, mended) == out) return out;
  fail();
  return {};
}

}  // namespace reveal::wire
