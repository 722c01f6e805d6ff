// Netlink messages and their attributes, read from bytes as the kernel laid them out.
//
// A message is a header of 16 bytes (length 4 + type 2 + flags 2 + sequence 4 + port 4) and its
// payload; an attribute is a header of 4 bytes (length 2 + type 2) and its payload; both begin at
// multiples of 4, and numbers are in the host's byte order. Every length is checked against what is
// there: a cursor ends where the bytes no longer make sense, and says so. Kernels append fields to
// their structures, so a structure is read field by field, as far as the payload goes.
// https://docs.kernel.org/userspace-api/netlink/intro.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace reveal::netlink {

using Bytes = std::span<const std::byte>;

// Returns the T at `offset`, or nothing if the bytes end before it does.
template <typename T>
std::optional<T> load(Bytes bytes, std::size_t offset = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T out{};
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return out;
}

struct Message {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;
  Bytes payload{};
};

class MessageCursor {
 public:
  explicit MessageCursor(Bytes bytes) : rest_(bytes) {}

  // Moves to the next message. Returns false at the end, or if the bytes are broken.
  bool next(Message& message);
  bool broken() const { return broken_; }

 private:
  Bytes rest_;
  bool broken_ = false;
};

struct Attribute {
  std::uint16_t type = 0;  // without the two bits that say how the payload is to be read
  Bytes payload{};

  // Returns the payload up to its first zero byte.
  std::string_view text() const;
};

class AttributeCursor {
 public:
  // `skip` is the length of the structure before the attributes.
  explicit AttributeCursor(Bytes bytes, std::size_t skip = 0);

  bool next(Attribute& attribute);
  bool broken() const { return broken_; }

 private:
  Bytes rest_;
  bool broken_ = false;
};

}  // namespace reveal::netlink
