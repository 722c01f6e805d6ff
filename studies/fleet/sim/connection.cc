#include "connection.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace reveal::sim {
namespace {

constexpr std::string_view kEnd = "\r\n";
constexpr double kFirst_ns = 10'000;
constexpr std::size_t kReadAtOnce = 16'384;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (!line.empty()) {
    const auto space = line.find(' ');
    if (space != 0) out.push_back(line.substr(0, space));
    if (space == line.npos) break;
    line.remove_prefix(space + 1);
  }
  return out;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace

void Latencies::take(std::int64_t ns) {
  const double steps = 4 * std::log2(std::max(static_cast<double>(ns) / kFirst_ns, 1.0));
  ++counts_[std::min(static_cast<std::size_t>(steps), counts_.size() - 1)];
}

double Latencies::quantile_ms(double share) const {
  std::uint64_t all = 0;
  for (const auto count : counts_) all += count;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts_.size() && all > 0; ++i) {
    below += counts_[i];
    if (static_cast<double>(below) < share * static_cast<double>(all)) continue;
    return kFirst_ns * std::exp2(static_cast<double>(i + 1) / 4) / 1e6;
  }
  return 0;
}

bool Connection::open(std::uint16_t port, std::size_t number) {
  number_ = number;
  socket_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket_.valid()) return false;
  const int yes = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ++counts_.connects;
  if (::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ||
      errno == EINPROGRESS) {
    return true;
  }
  close();
  return false;
}

void Connection::close() {
  session_.end();
  socket_.reset();
  waits_for_broker_ = false;
  is_ready_ = false;
  in_.clear();
  out_.clear();
  for (; oldest_ < next_; ++oldest_) {
    if (sent_ns_[oldest_ % kMostOpen] != 0) ++counts_.lost;
  }
}

ssize_t Connection::receive(char* to, std::size_t size) {
  return session_.is_started() ? session_.read(to, size) : ::recv(socket_.get(), to, size, 0);
}

bool Connection::read(std::int64_t now_ns) {
  waits_for_broker_ = false;
  char some[kReadAtOnce];
  for (;;) {
    const auto got = receive(some, sizeof some);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (got <= 0) {
      ++counts_.closed;
      close();
      return false;
    }
    in_.append(some, static_cast<std::size_t>(got));
    // What a session has decrypted already nobody would be woken for.
    if (!session_.is_started() && static_cast<std::size_t>(got) < sizeof some) break;
  }
  std::size_t at = 0;
  while (const auto used = parse_one(std::string_view(in_).substr(at), now_ns)) at += *used;
  in_.erase(0, at);
  return true;
}

// Returns how long the first thing is that the broker said; nothing if it is not there as a whole.
std::optional<std::size_t> Connection::parse_one(std::string_view rest, std::int64_t now_ns) {
  const auto end = rest.find(kEnd);
  if (end == rest.npos) return std::nullopt;
  const auto line = rest.substr(0, end);
  const auto begin = end + kEnd.size();
  if (!line.starts_with("MSG ") && !line.starts_with("HMSG ")) {
    take_line(line);
    return begin;
  }
  const auto words = words_of(line);
  const auto size = number_in(words.back());
  if (!size || words.size() < 4) return begin;
  if (rest.size() < begin + *size + kEnd.size()) return std::nullopt;
  take_message(words[1], rest.substr(begin, *size), line.front() == 'H', now_ns);
  return begin + *size + kEnd.size();
}

void Connection::take_line(std::string_view line) {
  if (line.starts_with("INFO ")) {
    if (tls_ != nullptr && !session_.start(*tls_, socket_.get())) return;
    out_ += fmt::format(
        "CONNECT {{\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true,"
        "\"name\":\"s{0:05}\",\"lang\":\"sim\",\"version\":\"1\"}}\r\nSUB _INBOX.s{0}.* 1\r\n"
        "PING\r\n",
        number_);
  } else if (line == "PING") {
    out_ += "PONG\r\n";
  } else if (line == "PONG") {
    is_ready_ = true;
  }
}

void Connection::take_message(std::string_view subject, std::string_view payload, bool has_head,
                              std::int64_t now_ns) {
  const auto number = number_in(subject.substr(subject.rfind('.') + 1));
  if (!number || *number < oldest_ || *number >= next_) return;
  auto& sent_ns = sent_ns_[*number % kMostOpen];
  if (sent_ns == 0) return;
  // A head is that of "no responders"; JetStream answers with JSON.
  if (has_head || payload.find("\"error\"") != payload.npos) {
    ++counts_.refused;
  } else {
    ++counts_.acknowledged;
    latencies_.take(now_ns - sent_ns);
  }
  sent_ns = 0;
  while (oldest_ < next_ && sent_ns_[oldest_ % kMostOpen] == 0) ++oldest_;
}

ssize_t Connection::send_some() {
  if (!session_.is_started()) {
    return ::send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
  }
  const auto put = session_.write(out_.data(), out_.size());
  waits_for_broker_ = session_.waits_for_broker();
  return put;
}

bool Connection::write() {
  while (!out_.empty()) {
    const auto put = send_some();
    if (put < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOTCONN)) return true;
    if (put < 0) {
      ++counts_.closed;
      close();
      return false;
    }
    out_.erase(0, static_cast<std::size_t>(put));
  }
  return true;
}

bool Connection::publish(std::string_view subject, wire::ByteView payload, std::int64_t now_ns) {
  // Who does not take what is there already gets no more.
  if (!is_ready_ || !out_.empty() || next_ - oldest_ >= kMostOpen) {
    ++counts_.skipped;
    return false;
  }
  fmt::format_to(std::back_inserter(out_), "PUB {} _INBOX.s{}.{} {}\r\n", subject, number_, next_,
                 payload.size());
  out_.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  out_ += kEnd;
  sent_ns_[next_++ % kMostOpen] = now_ns;
  ++counts_.sent;
  counts_.sent_bytes += payload.size();
  return write();
}

bool Connection::expire(std::int64_t now_ns) {
  bool any = false;
  while (oldest_ < next_) {
    auto& sent_ns = sent_ns_[oldest_ % kMostOpen];
    if (sent_ns != 0 && now_ns - sent_ns < kPatience_ns) break;
    if (sent_ns != 0) {
      ++counts_.lost;
      any = true;
    }
    sent_ns = 0;
    ++oldest_;
  }
  return any;
}

}  // namespace reveal::sim
