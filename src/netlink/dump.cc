#include "netlink/dump.h"

#include <array>
#include <cerrno>
#include <string>

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/unique_fd.h"

namespace reveal::netlink {
namespace {

using std::chrono::steady_clock;

constexpr std::uint32_t kSequence = 1;  // one dump a socket: any number does
constexpr std::uint16_t kDumpFlags = NLM_F_REQUEST | NLM_F_DUMP;

// Returns 0 or the errno.
int send_request(int fd, std::uint16_t type, Bytes request) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(sizeof(header) + request.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = kDumpFlags;
  header.nlmsg_seq = kSequence;
  // sendmsg() only reads what the vector points at.
  std::array<iovec, 2> parts = {
      {{&header, sizeof(header)}, {const_cast<std::byte*>(request.data()), request.size()}}};
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  msghdr message{};
  message.msg_name = &kernel;
  message.msg_namelen = sizeof(kernel);
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  return ::sendmsg(fd, &message, 0) < 0 ? errno : 0;
}

// Waits for the socket to become readable. Returns 0 or the errno.
int wait_readable(int fd, steady_clock::time_point until) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
    if (left <= 0) return ETIMEDOUT;
    pollfd one{fd, POLLIN, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) return errno;
  }
}

}  // namespace

int errno_of(const Message& message) {
  const auto code = load<std::int32_t>(message.payload);
  constexpr std::int32_t kLargestErrno = 4095;
  if (!code || *code > 0 || *code < -kLargestErrno) return EBADMSG;
  return -*code;
}

Dumper::Dumper(int protocol, std::string_view name)
    : protocol_(protocol),
      name_(name),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferBytes)) {}

base::Unexpected Dumper::fail(int errno_value, std::string_view what) const {
  return base::fail_errno(errno_value, std::string(what), std::string(name_));
}

base::Result<Bytes> Dumper::receive(int fd, steady_clock::time_point until) {
  for (;;) {
    if (const int error = wait_readable(fd, until)) return fail(error, "no answer");
    sockaddr_nl from{};
    iovec part{buffer_.get(), kBufferBytes};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof(from);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const ssize_t got = ::recvmsg(fd, &message, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return fail(errno, "the answer was lost");
    if (from.nl_pid != 0) continue;  // not from the kernel
    if ((message.msg_flags & MSG_TRUNC) != 0) return fail(EMSGSIZE, "the answer was cut");
    return Bytes(buffer_.get(), static_cast<std::size_t>(got));
  }
}

base::Result<DumpOutcome> Dumper::run(std::uint16_t type, Bytes request,
                                      const std::function<Next(const Message&)>& visit) {
  const base::UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol_));
  if (!fd.valid()) return fail(errno, "cannot be asked");
  if (const int error = send_request(fd.get(), type, request)) return fail(error, "cannot be sent");
  const auto until = steady_clock::now() + deadline_;
  DumpOutcome out;
  for (;;) {
    const auto bytes = receive(fd.get(), until);
    if (!bytes) return base::pass(bytes);
    MessageCursor messages(*bytes);
    for (Message message; messages.next(message);) {
      if (message.sequence != kSequence) continue;
      if ((message.flags & NLM_F_DUMP_INTR) != 0) out.interrupted = true;
      if (message.type == NLMSG_NOOP) continue;
      if (message.type == NLMSG_OVERRUN) return fail(ENOBUFS, "the answer was lost");
      if (message.type == NLMSG_ERROR && errno_of(message) == 0) continue;
      if (message.type == NLMSG_ERROR) return fail(errno_of(message), "refused");
      if (message.type == NLMSG_DONE) {
        // An error in the middle of a dump comes with its end; old kernels say nothing there.
        const int error = message.payload.empty() ? 0 : errno_of(message);
        if (error != 0) return fail(error, "the answer ended early");
        out.complete = true;
        return out;
      }
      if (visit(message) == Next::kEnough) return out;
    }
    if (messages.broken()) return fail(EBADMSG, "the answer is malformed");
  }
}

}  // namespace reveal::netlink
