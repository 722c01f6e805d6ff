// TLS on a socket that never blocks, as a client of the broker. Errors are told as recv(2) and
// send(2) tell them.
#pragma once

#include <filesystem>
#include <memory>

#include <openssl/ssl.h>
#include <sys/types.h>

#include "base/result.h"

namespace reveal::sim {

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

// What all connections have in common.
class TlsContext {
 public:
  // Trusts who has a certificate of this authority, a file in PEM, for 127.0.0.1. Fails if that
  // cannot be read.
  static base::Result<TlsContext> make(const std::filesystem::path& ca_file);
  SSL_CTX* get() const { return context_.get(); }

 private:
  explicit TlsContext(SSL_CTX* context) : context_(context) {}
  std::unique_ptr<SSL_CTX, FreeSsl> context_;
};

class TlsSession {
 public:
  // The socket must be open as long as this is used. Returns whether there is memory.
  bool start(const TlsContext& context, int socket);
  bool is_started() const { return ssl_ != nullptr; }
  void end() { ssl_.reset(); }

  // Return the number of bytes; 0: the broker has ended the session; -1: errno says why, EAGAIN if
  // the socket is to be waited for.
  ssize_t read(char* to, std::size_t size);
  ssize_t write(const char* from, std::size_t size);
  // Returns whether it is the broker's turn: writing goes on after what it says.
  bool waits_for_broker() const { return waits_for_broker_; }

 private:
  ssize_t result_of(int done);

  std::unique_ptr<SSL, FreeSsl> ssl_;
  bool waits_for_broker_ = false;
};

}  // namespace reveal::sim
