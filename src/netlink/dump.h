// One question to the kernel that is answered by many messages.
//
// Each dump has a socket of its own, so that what an abandoned or late dump still sends can never
// be taken for the answer to another. The kernel makes the answer as it is read: to stop reading is
// to stop its work. A dump that takes longer than its deadline fails; the kernel may be slow, but
// the caller must not wait for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "netlink/message.h"

namespace reveal::netlink {

enum class Next { kMore, kEnough };

struct DumpOutcome {
  bool complete = false;     // the kernel said that this was all
  bool interrupted = false;  // what was dumped changed meanwhile: some may be missing or twice
};

class Dumper {
 public:
  // `protocol` is NETLINK_...; `name` says in errors what was asked: "sock_diag".
  Dumper(int protocol, std::string_view name);

  // Asks `type` with the structure `request`, and shows each message of the answer to `visit` until
  // that has enough. Fails with the kernel's own error, when an answer was lost (more came than the
  // socket could hold), or when the deadline has passed. Allocates nothing if it succeeds.
  base::Result<DumpOutcome> run(std::uint16_t type, Bytes request,
                                const std::function<Next(const Message&)>& visit);

  void set_deadline(std::chrono::milliseconds deadline) { deadline_ = deadline; }

 private:
  base::Unexpected fail(int errno_value, std::string_view what) const;
  base::Result<Bytes> receive(int fd, std::chrono::steady_clock::time_point until);

  static constexpr std::size_t kBufferBytes = 64U << 10;  // the kernel fills at most 32 KiB a time

  int protocol_;
  std::string_view name_;
  std::chrono::milliseconds deadline_ = std::chrono::seconds(5);
  std::unique_ptr<std::byte[]> buffer_;
};

// Returns the errno that a kernel's error message carries, 0 for an acknowledgement.
int errno_of(const Message& message);

// Returns the bytes of a structure that is to be sent.
template <typename T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace reveal::netlink
