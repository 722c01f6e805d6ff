// Netlink messages put together byte by byte, as the kernel would send them. Only tests and fuzz
// seeds include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/message.h"

namespace reveal::netlink {

class MessageBytes {
 public:
  MessageBytes& u16(std::uint64_t value) { return little_endian(value, 2); }
  MessageBytes& u32(std::uint64_t value) { return little_endian(value, 4); }
  MessageBytes& u64(std::uint64_t value) { return little_endian(value, 8); }
  MessageBytes& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  MessageBytes& text(std::string_view value) {
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    return zeros(1);
  }
  // Appends an attribute with its header and padding.
  MessageBytes& attribute(std::uint16_t type, const MessageBytes& payload) {
    u16(4 + payload.bytes_.size()).u16(type);
    bytes_.insert(bytes_.end(), payload.bytes_.begin(), payload.bytes_.end());
    return zeros((4 - bytes_.size() % 4) % 4);
  }
  // Appends a message with its header and padding.
  MessageBytes& message(std::uint16_t type, const MessageBytes& payload) {
    u32(16 + payload.bytes_.size()).u16(type).u16(0).u32(1).u32(0);
    bytes_.insert(bytes_.end(), payload.bytes_.begin(), payload.bytes_.end());
    return zeros((4 - bytes_.size() % 4) % 4);
  }
  Bytes bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  MessageBytes& little_endian(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace reveal::netlink
