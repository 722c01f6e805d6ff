// The encodings of docs/wire_format.md, written to and read from memory. A Reader that meets a
// field which does not fit, or has another encoding than the one there is, turns bad and yields
// zeros from then on, so a decoder reads all its fields and asks ok() once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::wire {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

void put_u16(Bytes& out, std::uint16_t value);
void put_u32(Bytes& out, std::uint32_t value);
void put_u64(Bytes& out, std::uint64_t value);
void put_varint(Bytes& out, std::uint64_t value);
void put_zigzag(Bytes& out, std::int64_t value);
void put_f32(Bytes& out, float value);

// Appends a text as UTF-8, at most `most` bytes of it.
void put_text(Bytes& out, std::string_view text, std::size_t most);

// Returns what put_text() would write of a text, without its length.
std::string fitting(std::string_view text, std::size_t most);

class Reader {
 public:
  explicit Reader(ByteView bytes) : rest_(bytes) {}

  std::uint8_t u8();
  std::uint16_t u16();
  std::uint32_t u32();
  std::uint64_t u64();
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  std::uint64_t varint();
  std::int64_t zigzag();
  float f32();  // never NaN
  // Returns a number of at least `least` and at most `most`.
  std::uint64_t varint_within(std::uint64_t least, std::uint64_t most);
  // Returns a number of at most `most`.
  std::uint8_t u8_up_to(std::uint8_t most);
  // Returns UTF-8 of at least `least` and at most `most` bytes.
  std::string text(std::size_t least, std::size_t most);
  ByteView bytes(std::size_t count);
  ByteView rest() { return bytes(rest_.size()); }

  // Turns bad: what was read makes no sense.
  void fail() { bad(); }
  void require(bool holds) {
    if (!holds) bad();
  }
  bool ok() const { return ok_; }
  // Returns whether all went well and nothing is left.
  bool is_done() const { return ok_ && rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

 private:
  std::uint64_t little_endian(std::size_t count);
  std::uint64_t bad();

  ByteView rest_;
  bool ok_ = true;
};

}  // namespace reveal::wire
