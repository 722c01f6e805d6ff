#include "netlink/message.h"

#include <algorithm>

#include <linux/netlink.h>

namespace reveal::netlink {
namespace {

constexpr std::size_t kMessageHeader = 4 + 2 + 2 + 4 + 4;
constexpr std::size_t kAttributeHeader = 2 + 2;
static_assert(kMessageHeader == sizeof(nlmsghdr) && kAttributeHeader == sizeof(nlattr));

// What the two highest bits leave of a type.
constexpr std::uint16_t kTypeMask = static_cast<std::uint16_t>(NLA_TYPE_MASK);

constexpr std::size_t padded(std::size_t size) {
  return (size + 3) / 4 * 4;
}

// Takes a piece of `size` bytes with its padding off the front; the last may lack its padding.
Bytes take(Bytes& rest, std::size_t size) {
  const Bytes piece = rest.first(size);
  rest = rest.subspan(std::min(padded(size), rest.size()));
  return piece;
}

}  // namespace

bool MessageCursor::next(Message& message) {
  if (rest_.empty()) return false;
  const auto header = load<nlmsghdr>(rest_);
  if (!header || header->nlmsg_len < kMessageHeader || header->nlmsg_len > rest_.size()) {
    broken_ = true;
    rest_ = {};
    return false;
  }
  message.type = header->nlmsg_type;
  message.flags = header->nlmsg_flags;
  message.sequence = header->nlmsg_seq;
  message.payload = take(rest_, header->nlmsg_len).subspan(kMessageHeader);
  return true;
}

std::string_view Attribute::text() const {
  const std::string_view all(reinterpret_cast<const char*>(payload.data()), payload.size());
  return all.substr(0, all.find('\0'));
}

AttributeCursor::AttributeCursor(Bytes bytes, std::size_t skip)
    : rest_(bytes.subspan(std::min(padded(skip), bytes.size()))), broken_(bytes.size() < skip) {}

bool AttributeCursor::next(Attribute& attribute) {
  if (rest_.empty()) return false;
  const auto header = load<nlattr>(rest_);
  if (!header || header->nla_len < kAttributeHeader || header->nla_len > rest_.size()) {
    broken_ = true;
    rest_ = {};
    return false;
  }
  attribute.type = header->nla_type & kTypeMask;
  attribute.payload = take(rest_, header->nla_len).subspan(kAttributeHeader);
  return true;
}

}  // namespace reveal::netlink
