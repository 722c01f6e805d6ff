#include "wire/head.h"

#include "base/fnv.h"

namespace reveal::wire {
namespace {

constexpr auto kLastType = static_cast<std::uint8_t>(Type::kDictionary);

}  // namespace

std::uint64_t run_of(std::string_view boot_id, std::int64_t start_wall_ns) {
  const std::uint64_t of_boot = base::fnv1a(std::string_view("\0", 1), base::fnv1a(boot_id));
  return base::fnv1a(std::to_string(start_wall_ns), of_boot);
}

base::Result<Type> type_of(ByteView message) {
  if (message.size() < kHeadBytes) return malformed("a message that is shorter than its head");
  if (message[0] != kVersion) {
    return base::fail(base::ErrorKind::kCorrupt,
                      "a message of version " + std::to_string(message[0]) + " (known: 1)", "",
                      "use the same version of Reveal on all hosts");
  }
  if (message[1] == 0 || message[1] > kLastType) return malformed("a message of an unknown type");
  return static_cast<Type>(message[1]);
}

void put_head(Bytes& out, Type type, std::uint16_t flags, const Head& head) {
  out.push_back(kVersion);
  out.push_back(static_cast<std::uint8_t>(type));
  put_u16(out, flags);
  put_u32(out, head.clock_error_us);
  put_u64(out, head.run);
  put_u64(out, static_cast<std::uint64_t>(head.time_ns));
}

Head read_head(Reader& in, Type type, std::uint16_t known, std::uint16_t& flags) {
  in.require(in.u8() == kVersion);
  in.require(in.u8() == static_cast<std::uint8_t>(type));
  flags = in.u16();
  in.require((flags & ~known) == 0);
  Head head;
  head.clock_error_us = in.u32();
  head.run = in.u64();
  head.time_ns = in.i64();
  return head;
}

base::Unexpected malformed(std::string_view what) {
  return base::fail(base::ErrorKind::kCorrupt, std::string(what));
}

}  // namespace reveal::wire
