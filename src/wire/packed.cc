#include "wire/packed.h"

#include <algorithm>
#include <string>

#include <zlib.h>

#include "wire/head.h"
#include "wire/limits.h"

namespace reveal::wire {
namespace {

// Beyond it time grows and size hardly shrinks.
constexpr int kEffort = 6;
// No more than this comes out of a byte of deflate, so a length that claims more is a lie.
constexpr std::size_t kMostExpansion = 1032;

base::Unexpected too_much(std::string_view what, std::size_t found, std::size_t limit) {
  return base::fail(base::ErrorKind::kUsage, std::string(what) + " of " + std::to_string(found) +
                                                 " bytes, of which a message has at most " +
                                                 std::to_string(limit));
}

}  // namespace

std::uint32_t crc32_of(ByteView bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

base::Result<void> put_packed(Bytes& out, ByteView plain) {
  if (plain.empty() || plain.size() > kMaxPlainBytes) {
    return too_much("a content", plain.size(), kMaxPlainBytes);
  }
  Bytes packed(::compressBound(plain.size()));
  uLongf size = packed.size();
  if (::compress2(packed.data(), &size, plain.data(), plain.size(), kEffort) != Z_OK) {
    return base::fail(base::ErrorKind::kIo, "zlib had no memory to compress a message");
  }
  if (size > kMaxPackedBytes) return too_much("a packed content", size, kMaxPackedBytes);
  put_varint(out, plain.size());
  out.insert(out.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
  return {};
}

base::Result<Bytes> read_packed(Reader& in) {
  const std::uint64_t size = in.varint_within(1, kMaxPlainBytes);
  const ByteView packed = in.rest();
  if (!in.ok() || packed.size() > kMaxPackedBytes || size > kMostExpansion * packed.size()) {
    return malformed("a packed content with a length that it cannot have");
  }
  Bytes plain(size);
  uLongf got = plain.size();
  uLong used = packed.size();
  if (::uncompress2(plain.data(), &got, packed.data(), &used) != Z_OK || got != size ||
      used != packed.size()) {
    return malformed("a packed content that is not zlib of its length");
  }
  return plain;
}

}  // namespace reveal::wire
