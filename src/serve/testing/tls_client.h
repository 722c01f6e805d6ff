// A client that speaks TLS, for tests, and trusts whatever certificate it is shown.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

#include "base/testing/made_certificate.h"
#include "serve/testing/raw_client.h"

namespace reveal::serve {

// REQUIRES: SIGPIPE is ignored.
class TlsClient {
 public:
  explicit TlsClient(const std::string& address) : socket_(address) {
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

 private:
  RawClient socket_;
  base::TlsContext context_{SSL_CTX_new(TLS_client_method())};
  base::TlsPointer tls_{SSL_new(context_.get())};
  bool agreed_ = false;
};

}  // namespace reveal::serve
