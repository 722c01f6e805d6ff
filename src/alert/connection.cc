#include "alert/connection.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include "alert/wait.h"

namespace reveal::alert {
namespace {

using base::ErrorKind;
using base::Result;
using base::UniqueFd;

struct FreeContext {
  void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

// Returns the reason of OpenSSL's latest error.
std::string tls_reason() {
  const char* reason = ::ERR_reason_error_string(::ERR_peek_last_error());
  return reason == nullptr ? "unknown reason" : reason;
}

Result<UniqueFd> connect_to(const Address& address, Deadline deadline, const Stop& stop) {
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open a socket");
  const auto* to = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::connect(fd.get(), to, address.size) != 0) {
    if (errno != EINPROGRESS) return base::fail_errno(errno, "cannot connect");
    if (auto ready = wait_for(fd.get(), POLLOUT, deadline, &stop); !ready) {
      return base::fail(ErrorKind::kIo, "cannot connect: " + ready.error().what);
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return base::fail_errno(error, "cannot connect");
  }
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

// An address that does not answer leaves the others their share of the time.
Result<UniqueFd> connect_to_one(const std::vector<Address>& addresses, Deadline deadline,
                                const Stop& stop) {
  Result<UniqueFd> out = base::fail(ErrorKind::kAbsent, "has no address");
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto now = std::chrono::steady_clock::now();
    const auto share = (deadline - now) / static_cast<int>(addresses.size() - i);
    out = connect_to(addresses[i], now + share, stop);
    if (out) return out;
  }
  return out;
}

Result<Context> make_context(const std::filesystem::path& ca_file) {
  ::ERR_clear_error();
  Context context(::SSL_CTX_new(::TLS_client_method()));
  if (!context) return base::fail(ErrorKind::kIo, "cannot begin TLS: " + tls_reason());
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const int trusted =
      ca_file.empty() ? ::SSL_CTX_set_default_verify_paths(context.get())
                      : ::SSL_CTX_load_verify_locations(context.get(), ca_file.c_str(), nullptr);
  if (trusted == 1) return context;
  return base::fail(ErrorKind::kCorrupt, "cannot read the certificates to trust: " + tls_reason(),
                    ca_file.string(), "name a file of certificates in PEM format as ca_file");
}

// An address in place of a name must be in the certificate as such.
bool expect_name(SSL* tls, const std::string& host) {
  X509_VERIFY_PARAM* rules = ::SSL_get0_param(tls);
  if (::X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1) return true;
  return ::SSL_set1_host(tls, host.c_str()) == 1 &&
         ::SSL_set_tlsext_host_name(tls, host.c_str()) == 1;
}

}  // namespace

void FreeTls::operator()(SSL* tls) const {
  ::SSL_free(tls);
}

Result<Connection> Connection::open(const Url& url, const std::filesystem::path& ca_file,
                                    Deadline deadline, const Stop& stop) {
  const auto addresses = look_up(url.host, url.port, deadline, stop);
  if (!addresses) return base::pass(addresses);
  auto fd = connect_to_one(*addresses, deadline, stop);
  if (!fd) return base::pass(fd);
  Connection out(std::move(*fd));
  if (url.tls) {
    if (auto begun = out.begin_tls(url, ca_file, deadline, stop); !begun) return base::pass(begun);
  }
  return out;
}

template <typename Operation>
Result<std::size_t> Connection::repeat(const char* what, Deadline deadline, const Stop* stop,
                                       Operation operation) {
  for (;;) {
    ::ERR_clear_error();
    errno = 0;
    const int got = operation();
    if (got > 0) return static_cast<std::size_t>(got);
    const int system_error = errno;
    short events = 0;
    switch (::SSL_get_error(tls_.get(), got)) {
      case SSL_ERROR_WANT_READ:
        events = POLLIN;
        break;
      case SSL_ERROR_WANT_WRITE:
        events = POLLOUT;
        break;
      case SSL_ERROR_ZERO_RETURN:
        return 0;
      case SSL_ERROR_SYSCALL:
        if (system_error != 0) return base::fail_errno(system_error, what);
        return base::fail(ErrorKind::kIo, std::string(what) + ": the connection was closed");
      default:
        return base::fail(ErrorKind::kIo, std::string(what) + ": " + tls_reason());
    }
    if (auto ready = wait_for(fd_.get(), events, deadline, stop); !ready) {
      return base::fail(ErrorKind::kIo, std::string(what) + ": " + ready.error().what);
    }
  }
}

Result<void> Connection::begin_tls(const Url& url, const std::filesystem::path& ca_file,
                                   Deadline deadline, const Stop& stop) {
  auto context = make_context(ca_file);
  if (!context) return base::pass(context);
  tls_.reset(::SSL_new(context->get()));
  if (!tls_ || !expect_name(tls_.get(), url.host) || ::SSL_set_fd(tls_.get(), fd_.get()) != 1) {
    return base::fail(ErrorKind::kIo, "cannot begin TLS: " + tls_reason());
  }
  ::SSL_set_mode(tls_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  auto agreed =
      repeat("cannot agree on TLS", deadline, &stop, [&] { return ::SSL_connect(tls_.get()); });
  const long verified = ::SSL_get_verify_result(tls_.get());
  if (!agreed && verified != X509_V_OK) {
    return base::fail(
        ErrorKind::kPermission,
        std::string("its certificate is not trusted: ") + ::X509_verify_cert_error_string(verified),
        {}, "name the authority's certificate as ca_file");
  }
  if (!agreed) return base::pass(agreed);
  if (*agreed == 0)
    return base::fail(ErrorKind::kIo, "cannot agree on TLS: the connection was closed");
  return {};
}

Result<void> Connection::write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    std::size_t written = 0;
    if (tls_) {
      const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
      const auto count = repeat("cannot send", deadline, nullptr,
                                [&] { return ::SSL_write(tls_.get(), bytes.data(), size); });
      if (!count) return base::pass(count);
      written = *count;
      if (written == 0) return base::fail(ErrorKind::kIo, "cannot send: the connection was closed");
    } else {
      const auto count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN && errno != EINTR)
        return base::fail_errno(errno, "cannot send");
      if (count < 0) {
        if (auto ready = wait_for(fd_.get(), POLLOUT, deadline, nullptr); !ready) {
          return base::fail(ErrorKind::kIo, "cannot send: " + ready.error().what);
        }
        continue;
      }
      written = static_cast<std::size_t>(count);
    }
    bytes.remove_prefix(written);
  }
  return {};
}

Result<std::size_t> Connection::read(std::span<char> into, Deadline deadline) {
  if (tls_) {
    const int size = static_cast<int>(std::min<std::size_t>(into.size(), INT_MAX));
    return repeat("cannot read the answer", deadline, nullptr,
                  [&] { return ::SSL_read(tls_.get(), into.data(), size); });
  }
  for (;;) {
    const auto count = ::recv(fd_.get(), into.data(), into.size(), 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EAGAIN && errno != EINTR) return base::fail_errno(errno, "cannot read the answer");
    if (auto ready = wait_for(fd_.get(), POLLIN, deadline, nullptr); !ready)
      return base::pass(ready);
  }
}

}  // namespace reveal::alert
