#include "http/socket_client.h"

#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/unique_fd.h"
#include "http/unix_address.h"
#include "text/parse_number.h"

namespace reveal::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kRemedy = "is the agent running? `systemctl status reveal-agent` tells";
constexpr std::string_view kVersion = "HTTP/1.1 ";

// A connection whose every step ends by the deadline.
class Call {
 public:
  Call(const std::string& path, std::chrono::milliseconds patience)
      : path_(path), patience_(patience), deadline_(Clock::now() + patience) {}

  base::Result<void> connect();
  base::Result<void> send(std::string_view bytes);
  // Returns false at the end.
  base::Result<bool> receive(std::string& out);

 private:
  base::Result<void> wait(short events);
  base::Unexpected failed(int errno_value, const char* what) const {
    return base::fail_errno(errno_value, what, path_, kRemedy);
  }

  const std::string& path_;
  std::chrono::milliseconds patience_;
  Clock::time_point deadline_;
  base::UniqueFd fd_;
};

base::Result<void> Call::connect() {
  if (path_.empty() || path_.size() >= sizeof(sockaddr_un::sun_path)) {
    return base::fail(base::ErrorKind::kUsage, "the path of a socket has 1 to 107 bytes", path_);
  }
  fd_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd_.valid()) return failed(errno, "cannot ask the agent");
  const UnixAddress address(path_);
  if (::connect(fd_.get(), address.generic(), address.size()) == 0) return {};
  const int failure = errno;
  if (failure == ECONNREFUSED || failure == ENOENT) {
    return base::fail(base::ErrorKind::kAbsent, "no agent answers at this socket", path_, kRemedy);
  }
  return failed(failure, "cannot reach the agent");
}

base::Result<void> Call::wait(short events) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
  pollfd waited{.fd = fd_.get(), .events = events, .revents = 0};
  const int ready = left.count() > 0 ? ::poll(&waited, 1, static_cast<int>(left.count())) : 0;
  if (ready > 0 || (ready < 0 && errno == EINTR)) return {};
  if (ready < 0) return failed(errno, "cannot wait for the agent");
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("the agent did not answer within {} ms", patience_.count()), path_,
                    kRemedy);
}

base::Result<void> Call::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EAGAIN && errno != EINTR) {
      return failed(errno, "cannot ask the agent");
    } else if (const auto waited = wait(POLLOUT); !waited) {
      return waited;
    }
  }
  return {};
}

base::Result<bool> Call::receive(std::string& out) {
  std::array<char, 16384> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (;;) {
    if (const auto waited = wait(POLLIN); !waited) return base::pass(waited);
    const auto count = ::recv(fd_.get(), bytes.data(), bytes.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count < 0) return failed(errno, "cannot read the agent's answer");
    out.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }
}

base::Unexpected not_an_answer(const char* what) {
  return base::fail(base::ErrorKind::kCorrupt, what, {}, "is it an agent that has this socket?");
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// Returns the length that the head states, or nothing.
std::optional<std::uint64_t> stated_length(std::string_view head) {
  while (!head.empty()) {
    const auto end = head.find("\r\n");
    const auto line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 2);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || lower(line.substr(0, colon)) != "content-length")
      continue;
    return text::parse_u64(text::trimmed(line.substr(colon + 1)));
  }
  return {};
}

}  // namespace

base::Result<std::optional<SocketAnswer>> parse_answer(std::string_view arrived, bool ended) {
  const auto nothing = std::optional<SocketAnswer>();
  if (arrived.size() > kMostAnswerBytes) return not_an_answer("the answer is too large");
  if (arrived.substr(0, kVersion.size()) != kVersion.substr(0, arrived.size())) {
    return not_an_answer("this is not an answer of HTTP");
  }
  const auto end = arrived.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    return ended ? base::Result<std::optional<SocketAnswer>>(not_an_answer("the answer is cut off"))
                 : nothing;
  }
  const auto head = arrived.substr(0, end);
  const auto status = text::parse_u64(head.substr(kVersion.size(), 3));
  if (!status || *status < 100) return not_an_answer("the answer has no status");
  const auto length = stated_length(head);
  if (!length) return not_an_answer("the answer has no length");
  const auto body = arrived.substr(end + 4);
  if (body.size() >= *length) {
    return SocketAnswer{static_cast<int>(*status), std::string(body.substr(0, *length))};
  }
  if (ended) return not_an_answer("the answer is cut off");
  return nothing;
}

base::Result<SocketAnswer> ask_over_socket(const std::string& path, const SocketRequest& request,
                                           std::chrono::milliseconds patience) {
  Call call(path, patience);
  if (const auto connected = call.connect(); !connected) return base::pass(connected);
  const auto sent = call.send(
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\nConnection: "
                  "close\r\n\r\n{}",
                  request.method, request.target, request.body.size(), request.body));
  if (!sent) return base::pass(sent);
  std::string arrived;
  for (;;) {
    const auto more = call.receive(arrived);
    if (!more) return base::pass(more);
    auto answer = parse_answer(arrived, !*more);
    if (!answer) return base::pass(answer);
    if (*answer) return std::move(**answer);
  }
}

base::Result<std::string> fetch_over_socket(const std::string& path, const std::string& target,
                                            std::chrono::milliseconds patience) {
  auto answer = ask_over_socket(path, {.target = target}, patience);
  if (!answer) return base::pass(answer);
  if (answer->status == 200) return std::move(answer->body);
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("the agent answered {} with status {}", target, answer->status),
                    path);
}

}  // namespace reveal::http
