#include "serve/connection.h"

#include <array>
#include <cerrno>
#include <utility>
#include <variant>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace reveal::serve {
namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr int kStreamSendBytes = 64 << 10;
// A client that goes on sending after the answer is not listening.
constexpr std::size_t kMostDiscarded = std::size_t{256} << 10;

std::int64_t wall_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool must_wait(ssize_t result) {
  return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

}  // namespace

Connection::Connection(base::UniqueFd fd, Caller caller, const TimeLimits& limits,
                       Clock::time_point now)
    : fd_(std::move(fd)), caller_(std::move(caller)), limits_(limits), phase_began_(now) {}

void Connection::enter(Phase phase, Clock::time_point now) {
  phase_ = phase;
  phase_began_ = now;
}

Connection::Clock::time_point Connection::deadline() const {
  switch (phase_) {
    case Phase::kIdle:
      return phase_began_ + limits_.idle;
    case Phase::kReading:
      return phase_began_ + limits_.request;
    case Phase::kAnswering:
      return phase_began_ + limits_.answer;
    case Phase::kEnding:
      return phase_began_ + limits_.ending;
    case Phase::kWaiting:
    case Phase::kStreaming:
      return Clock::time_point::max();
    case Phase::kEnded:
      break;
  }
  return phase_began_;
}

void Connection::on_deadline(const Counter& counter, Clock::time_point now) {
  if (phase_ == Phase::kReading) {
    send(error_response(408, "the request took too long"), counter, true, false, now);
  } else {
    enter(Phase::kEnded, now);
  }
}

void Connection::on_readable(const Answerer& answerer, const Counter& counter,
                             Clock::time_point now) {
  // All that can happen in this phase is that the client goes.
  if (phase_ == Phase::kWaiting) return enter(Phase::kEnded, now);
  if (phase_ == Phase::kEnding || phase_ == Phase::kStreaming) return discard(now);
  if (phase_ != Phase::kIdle && phase_ != Phase::kReading) return;
  std::array<char, kReadBytes> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const auto count = ::recv(fd(), bytes.data(), bytes.size(), 0);
  if (must_wait(count)) return;
  if (count <= 0) return enter(Phase::kEnded, now);
  if (phase_ == Phase::kIdle) enter(Phase::kReading, now);
  in_.append(bytes.data(), static_cast<std::size_t>(count));
  take_in(answerer, counter, now);
}

void Connection::take_in(const Answerer& answerer, const Counter& counter, Clock::time_point now) {
  auto parsed = parse_head(in_);
  if (std::holds_alternative<NeedsMore>(parsed)) return;
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    return send(error_response(refusal->status, refusal->why), counter, true, false, now);
  }
  auto head = std::get<Head>(std::move(parsed));
  // No body is taken from TCP: what it could be for is refused there.
  const bool takes_body = caller_.over_socket;
  if (takes_body && in_.size() < head.head_bytes + head.body_bytes) return;
  finish_request(answerer, counter, std::move(head), now);
}

void Connection::finish_request(const Answerer& answerer, const Counter& counter, Head head,
                                Clock::time_point now) {
  auto& request = head.request;
  if (caller_.over_socket) request.body = in_.substr(head.head_bytes, head.body_bytes);
  // What follows would have been sent without waiting for the answer, or is a body that is not
  // taken.
  const bool has_rest = in_.size() != head.head_bytes + request.body.size();
  const bool has_body = head.body_bytes > request.body.size();
  in_.clear();
  const auto response = answerer(request, caller_);
  with_body_ = request.method != Method::kHead;
  keep_alive_ = request.keep_alive && !has_rest && !has_body;
  if (response.later) return enter(Phase::kWaiting, now);
  send(response, counter, with_body_, keep_alive_, now);
}

void Connection::answer(const Response& response, const Counter& counter, Clock::time_point now) {
  send(response, counter, with_body_, keep_alive_, now);
}

void Connection::send(const Response& response, const Counter& counter, bool with_body,
                      bool keep_alive, Clock::time_point now) {
  counter(response.status);
  in_ = {};
  keep_alive_ = keep_alive;
  out_ = to_bytes(response,
                  {.with_body = with_body, .keep_alive = keep_alive, .wall_ns = wall_now_ns()});
  sent_ = 0;
  if (response.stream_after && with_body) return begin_stream(std::exchange(out_, {}), now);
  enter(Phase::kAnswering, now);
  on_writable(now);
}

void Connection::begin_stream(const std::string& head, Clock::time_point now) {
  // What the kernel holds for a client that stalls is memory, too, and events are small and urgent.
  const int most = kStreamSendBytes;
  ::setsockopt(fd(), SOL_SOCKET, SO_SNDBUF, &most, sizeof(most));
  const int yes = 1;
  if (!caller_.over_socket) ::setsockopt(fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  stream_.emplace(head);
  enter(Phase::kStreaming, now);
}

void Connection::on_writable(Clock::time_point now) {
  if (phase_ == Phase::kStreaming) {
    if (!stream_->send(fd())) enter(Phase::kEnded, now);
    return;
  }
  if (phase_ != Phase::kAnswering) return;
  const auto count = ::send(fd(), out_.data() + sent_, unsent(), MSG_NOSIGNAL);
  if (must_wait(count)) return;
  if (count < 0) return enter(Phase::kEnded, now);
  sent_ += static_cast<std::size_t>(count);
  if (unsent() > 0) return;
  out_ = {};
  sent_ = 0;
  if (keep_alive_) return enter(Phase::kIdle, now);
  ::shutdown(fd(), SHUT_WR);
  enter(Phase::kEnding, now);
}

void Connection::discard(Clock::time_point now) {
  std::array<char, kReadBytes> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const auto count = ::recv(fd(), bytes.data(), bytes.size(), 0);
  if (must_wait(count)) return;
  discarded_ += count > 0 ? static_cast<std::size_t>(count) : 0;
  if (count <= 0 || discarded_ > kMostDiscarded) enter(Phase::kEnded, now);
}

}  // namespace reveal::serve
