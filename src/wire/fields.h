// The encodings of docs/wire_format.md, written to and read from memory. A Reader that meets a
// field which does not fit, or has another encoding than the one there is, turns bad and yields
// zeros from then on, so a decoder reads all its fields and asks ok() once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace reveal::wire {

using base::Bytes;
using base::ByteView;
using base::put_u16;
using base::put_u32;
using base::put_u64;
using base::put_varint;
using base::put_zigzag;

void put_f32(Bytes& out, float value);

// Appends a text as UTF-8, at most `most` bytes of it.
void put_text(Bytes& out, std::string_view text, std::size_t most);

// Returns what put_text() would write of a text, without its length.
std::string fitting(std::string_view text, std::size_t most);

class Reader {
 public:
  explicit Reader(ByteView bytes) : cursor_(bytes) {}

  std::uint8_t u8() { return cursor_.u8(); }
  std::uint16_t u16() { return cursor_.u16(); }
  std::uint32_t u32() { return cursor_.u32(); }
  std::uint64_t u64() { return cursor_.u64(); }
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
  ByteView bytes(std::size_t count) { return cursor_.bytes(count); }
  ByteView rest() { return bytes(left()); }

  // Turns bad: what was read makes no sense.
  void fail() { cursor_.fail(); }
  void require(bool holds) {
    if (!holds) fail();
  }
  bool ok() const { return cursor_.ok(); }
  // Returns whether all went well and nothing is left.
  bool is_done() const { return ok() && left() == 0; }
  std::size_t left() const { return cursor_.left(); }

 private:
  base::ByteCursor cursor_;
};

}  // namespace reveal::wire
