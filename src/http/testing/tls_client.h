// A client that speaks TLS, for tests, and trusts whatever certificate it is shown.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/testing/made_certificate.h"
#include "http/testing/raw_client.h"

namespace reveal::http {

// REQUIRES: SIGPIPE is ignored.
class TlsClient {
 public:
  explicit TlsClient(const std::string& address, int newest_version = TLS1_3_VERSION)
      : socket_(address) {
    SSL_set_max_proto_version(tls_.get(), newest_version);
    SSL_set_fd(tls_.get(), socket_.fd());
    agreed_ = SSL_connect(tls_.get()) == 1;
  }

  bool has_agreed() const { return agreed_; }

  bool send(std::string_view bytes) const {
    return SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
  }

  // Returns what comes until it has this text, or until the server closes the connection.
  std::string until(std::string_view text) const {
    std::string out;
    while (text.empty() || out.find(text) == std::string::npos) {
      std::array<char, 4096> bytes{};
      const int count = SSL_read(tls_.get(), bytes.data(), bytes.size());
      if (count <= 0) break;
      out.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return out;
  }
  std::string rest() const { return until(""); }

  // Sends a record that holds no data but makes the server read with other keys from then on.
  // Returns whether it could be sent.
  bool renew_keys() const {
    ERR_clear_error();  // is_stuck() is not to find an older one
    return SSL_key_update(tls_.get(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1 &&
           SSL_do_handshake(tls_.get()) == 1;
  }
  // Returns whether the record that could not be sent failed since the server reads none.
  bool is_stuck() const { return SSL_get_error(tls_.get(), -1) == SSL_ERROR_WANT_WRITE; }
  // Asks for another handshake, which TLS 1.2 has. Returns whether there was one.
  bool renegotiate() const {
    return SSL_renegotiate(tls_.get()) == 1 && SSL_do_handshake(tls_.get()) == 1;
  }

 private:
  RawClient socket_;
  base::TlsContext context_{SSL_CTX_new(TLS_client_method())};
  base::TlsPointer tls_{SSL_new(context_.get())};
  bool agreed_ = false;
};

}  // namespace reveal::http
