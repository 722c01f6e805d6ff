// Integers, varints and texts, written to and read from memory: what docs/storage_format.md
// ("Encodings") and docs/wire_format.md have in common. Reading never goes past the end: a
// ByteCursor that meets a field which does not fit turns bad and yields zeros from then on, so a
// decoder reads all its fields and asks ok() once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace reveal::base {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

void put_u16(Bytes& out, std::uint16_t value);
void put_u32(Bytes& out, std::uint32_t value);
void put_u64(Bytes& out, std::uint64_t value);
void put_varint(Bytes& out, std::uint64_t value);
void put_zigzag(Bytes& out, std::int64_t value);
void put_text(Bytes& out, std::string_view text);
void put_bytes(Bytes& out, ByteView bytes);

// Appends the difference `to` - `from` modulo 2^64.
void put_difference(Bytes& out, std::uint64_t from, std::uint64_t to);

// Returns the text's bytes, and the bytes as text.
ByteView as_bytes(std::string_view text);
std::string_view as_text(ByteView bytes);

class ByteCursor {
 public:
  explicit ByteCursor(ByteView bytes) : rest_(bytes) {}

  std::uint8_t u8();
  std::uint16_t u16();
  std::uint32_t u32();
  std::uint64_t u64();
  std::uint64_t varint();
  std::int64_t zigzag();
  std::string_view text();  // a view into the bytes being read
  ByteView bytes(std::uint64_t count);

  // Returns `from` plus a difference read here, modulo 2^64.
  std::uint64_t plus_difference(std::uint64_t from);

  // Turns bad: what was read makes no sense.
  void fail() { bad(); }
  bool ok() const { return ok_; }
  std::size_t left() const { return rest_.size(); }

 private:
  std::uint64_t little_endian(std::size_t count);
  std::uint64_t bad();

  ByteView rest_;
  bool ok_ = true;
};

}  // namespace reveal::base
