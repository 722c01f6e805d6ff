#include "http/connection.h"

#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace reveal::http {
namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr int kStreamSendBytes = 64 << 10;
// A client that goes on sending after the answer is not listening.
constexpr std::size_t kMostDiscarded = std::size_t{256} << 10;
constexpr std::string_view kSpeaksTls =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    "\r\nthis address speaks TLS: ask by https\n";

std::int64_t wall_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Connection::Connection(Wire wire, Caller caller, const TimeLimits& limits, Clock::time_point now)
    : wire_(std::move(wire)),
      caller_(std::move(caller)),
      limits_(limits),
      phase_(wire_.is_encrypted() ? Phase::kAgreeing : Phase::kIdle),
      phase_began_(now) {}

void Connection::enter(Phase phase, Clock::time_point now) {
  phase_ = phase;
  phase_began_ = now;
}

Connection::Clock::time_point Connection::deadline() const {
  switch (phase_) {
    case Phase::kIdle:
      return phase_began_ + limits_.idle;
    case Phase::kAgreeing:
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

Poller::Interest Connection::interest() const {
  using Interest = Poller::Interest;
  const auto reading = wire_.waits_to_write() ? Interest::kWrite : Interest::kRead;
  switch (phase_) {
    case Phase::kAnswering:
      return Interest::kWrite;
    case Phase::kWaiting:
      return Interest::kNothing;
    case Phase::kStreaming:
      return stream_->queued() > 0 ? Interest::kBoth : reading;
    case Phase::kEnding:
    case Phase::kEnded:
      return Interest::kRead;
    case Phase::kAgreeing:
    case Phase::kIdle:
    case Phase::kReading:
      break;
  }
  return reading;
}

void Connection::agree(const Counter& counter, Clock::time_point now) {
  const auto outcome = wire_.agree();
  if (outcome == Wire::Outcome::kWaits) return;
  if (outcome == Wire::Outcome::kDone) return enter(Phase::kIdle, now);
  if (wire_.heard_http()) {
    counter(400);
    wire_.write_plain(kSpeaksTls);
  }
  // The client may still read why.
  wire_.end_writing();
  enter(Phase::kEnding, now);
}

void Connection::on_readable(const Answerer& answerer, const Counter& counter,
                             Clock::time_point now) {
  // All that can happen in this phase is that the client goes.
  if (phase_ == Phase::kWaiting) return enter(Phase::kEnded, now);
  if (phase_ == Phase::kEnding || phase_ == Phase::kStreaming) return discard(now);
  if (phase_ == Phase::kAgreeing) return agree(counter, now);
  if (phase_ != Phase::kIdle && phase_ != Phase::kReading) return;
  std::array<char, kReadBytes> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  do {
    const auto got = wire_.read(bytes);
    if (got.outcome == Wire::Outcome::kWaits) return;
    if (got.outcome == Wire::Outcome::kEnded) return enter(Phase::kEnded, now);
    if (phase_ == Phase::kIdle) enter(Phase::kReading, now);
    in_.append(bytes.data(), got.bytes);
  } while (wire_.has_more());
  take_in(answerer, counter, now);
}

void Connection::take_in(const Answerer& answerer, const Counter& counter, Clock::time_point now) {
  auto parsed = parse_head(in_);
  if (std::holds_alternative<NeedsMore>(parsed)) return;
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    return send(error_response(refusal->status, refusal->why), counter, true, false, now);
  }
  auto head = std::get<Head>(std::move(parsed));
  const auto most = most_body_bytes();
  if (most > 0 && head.body_bytes > most) {
    return send(error_response(413, "the body is too long"), counter, true, false, now);
  }
  if (most > 0 && in_.size() < head.head_bytes + head.body_bytes) return;
  finish_request(answerer, counter, std::move(head), now);
}

// Where nobody is asked who they are no body is taken from TCP: what it could be for is refused.
std::size_t Connection::most_body_bytes() const {
  if (caller_.over_socket) return kMostBodyBytes;
  return caller_.is_asked ? kMostAskedBodyBytes : 0;
}

void Connection::finish_request(const Answerer& answerer, const Counter& counter, Head head,
                                Clock::time_point now) {
  auto& request = head.request;
  if (most_body_bytes() > 0) request.body = in_.substr(head.head_bytes, head.body_bytes);
  // What follows would have been sent without waiting for the answer, or is a body that is not
  // taken.
  const bool has_rest = in_.size() != head.head_bytes + request.body.size();
  const bool has_body = head.body_bytes > request.body.size();
  in_.clear();
  const auto response = answerer(request, caller_);
  with_body_ = request.method != Method::kHead;
  keep_alive_ = request.keep_alive && !has_rest && !has_body;
  if (response.later || response.is_pending) return enter(Phase::kWaiting, now);
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
    if (!stream_->send(wire_)) enter(Phase::kEnded, now);
    return;
  }
  if (phase_ != Phase::kAnswering) return;
  const auto written = wire_.write(std::string_view(out_).substr(sent_));
  if (written.outcome == Wire::Outcome::kWaits) return;
  if (written.outcome == Wire::Outcome::kEnded) return enter(Phase::kEnded, now);
  sent_ += written.bytes;
  if (unsent() > 0) return;
  out_ = {};
  sent_ = 0;
  if (keep_alive_) return enter(Phase::kIdle, now);
  wire_.end_writing();
  enter(Phase::kEnding, now);
}

void Connection::discard(Clock::time_point now) {
  std::array<char, kReadBytes> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const auto got = phase_ == Phase::kEnding ? wire_.forget() : wire_.read(bytes);
  if (got.outcome == Wire::Outcome::kWaits) return;
  discarded_ += got.bytes;
  if (got.outcome == Wire::Outcome::kEnded || discarded_ > kMostDiscarded) {
    enter(Phase::kEnded, now);
  }
}

}  // namespace reveal::http
