#include "tls.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace reveal::sim {
namespace {

constexpr const char* kBroker = "127.0.0.1";

int size_of(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
}

}  // namespace

base::Result<TlsContext> TlsContext::make(const std::filesystem::path& ca_file) {
  TlsContext out(SSL_CTX_new(TLS_client_method()));
  if (out.get() == nullptr || SSL_CTX_load_verify_file(out.get(), ca_file.c_str()) != 1) {
    return base::fail(base::ErrorKind::kUsage, "no certificate of an authority", ca_file.string());
  }
  SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER, nullptr);
  // What waits to be written may have grown, and moved, before it is written again.
  SSL_CTX_set_mode(out.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
  return out;
}

bool TlsSession::start(const TlsContext& context, int socket) {
  waits_for_broker_ = false;
  ssl_.reset(SSL_new(context.get()));
  if (ssl_ == nullptr || SSL_set_fd(ssl_.get(), socket) != 1) return false;
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), kBroker) != 1) return false;
  SSL_set_connect_state(ssl_.get());
  return true;
}

ssize_t TlsSession::read(char* to, std::size_t size) {
  ERR_clear_error();
  return result_of(SSL_read(ssl_.get(), to, size_of(size)));
}

ssize_t TlsSession::write(const char* from, std::size_t size) {
  ERR_clear_error();
  const auto out = result_of(SSL_write(ssl_.get(), from, size_of(size)));
  return out == 0 ? -1 : out;
}

ssize_t TlsSession::result_of(int done) {
  waits_for_broker_ = false;
  if (done > 0) return done;
  switch (SSL_get_error(ssl_.get(), done)) {
    case SSL_ERROR_WANT_READ:
      waits_for_broker_ = true;
      [[fallthrough]];
    case SSL_ERROR_WANT_WRITE:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    default:
      errno = EPROTO;
      return -1;
  }
}

}  // namespace reveal::sim
