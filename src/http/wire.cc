#include "http/wire.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

namespace reveal::http {
namespace {

constexpr std::size_t kForgetBytes = 4096;

Wire::Transfer transfer_of(ssize_t count) {
  if (count > 0) return {Wire::Outcome::kDone, static_cast<std::size_t>(count)};
  const bool waits = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return {waits ? Wire::Outcome::kWaits : Wire::Outcome::kEnded};
}

int size_of(std::size_t bytes) {
  return static_cast<int>(std::min<std::size_t>(bytes, INT_MAX));
}

}  // namespace

Wire::Outcome Wire::outcome_of(int result) {
  waits_to_write_ = false;
  if (result > 0) return Outcome::kDone;
  switch (::SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_WRITE:
      waits_to_write_ = true;
      return Outcome::kWaits;
    case SSL_ERROR_WANT_READ:
      return Outcome::kWaits;
    case SSL_ERROR_ZERO_RETURN:
      return Outcome::kEnded;
    default:
      is_broken_ = true;
      return Outcome::kEnded;
  }
}

Wire::Outcome Wire::agree() {
  // The queue of errors is this thread's, not this connection's.
  ::ERR_clear_error();
  const auto out = outcome_of(::SSL_accept(tls_.get()));
  received_with_data_ = received();
  heard_http_ = is_broken_ && ERR_GET_REASON(::ERR_peek_error()) == SSL_R_HTTP_REQUEST;
  return out;
}

Wire::Transfer Wire::read(std::span<char> into) {
  if (!tls_) return transfer_of(::recv(fd(), into.data(), into.size(), 0));
  ::ERR_clear_error();
  const int count = ::SSL_read(tls_.get(), into.data(), size_of(into.size()));
  const auto outcome = outcome_of(count);
  if (outcome == Outcome::kDone) {
    received_with_data_ = received();
    return {outcome, static_cast<std::size_t>(count)};
  }
  return {received() - received_with_data_ > kMostWithoutData ? Outcome::kEnded : outcome};
}

// Returns how many bytes came from the socket, whatever they were.
std::uint64_t Wire::received() const {
  return ::BIO_number_read(::SSL_get_rbio(tls_.get()));
}

Wire::Transfer Wire::write(std::string_view bytes) {
  if (!tls_) return transfer_of(::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  ::ERR_clear_error();
  const bool reading_waits = waits_to_write_;
  const int count = ::SSL_write(tls_.get(), bytes.data(), size_of(bytes.size()));
  auto outcome = outcome_of(count);
  // To write, only a handshake in the midst of a connection has to read first; no honest client
  // begins one, and the poller would find the socket ready for writing again and again.
  if (outcome == Outcome::kWaits && !waits_to_write_) outcome = Outcome::kEnded;
  waits_to_write_ = reading_waits;
  return {outcome, outcome == Outcome::kDone ? static_cast<std::size_t>(count) : 0};
}

bool Wire::has_more() const {
  return tls_ && ::SSL_pending(tls_.get()) > 0;
}

void Wire::write_plain(std::string_view bytes) const {
  static_cast<void>(::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

void Wire::end_writing() {
  if (tls_ && !is_broken_) {
    ::ERR_clear_error();
    ::SSL_shutdown(tls_.get());  // says so once, and does not wait for the answer
  }
  ::shutdown(fd(), SHUT_WR);
}

Wire::Transfer Wire::forget() const {
  std::array<char, kForgetBytes> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  return transfer_of(::recv(fd(), bytes.data(), bytes.size(), 0));
}

}  // namespace reveal::http
