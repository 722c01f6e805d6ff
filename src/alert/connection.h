// One connection to a receiver, plain or TLS, every step of which has a deadline. cpp-httplib
// bounds each read and write, but no whole request: a receiver that sends a byte now and then would
// keep it for ever, and its stop() waits for a connection that is being made.
//
// TLS is 1.2 or later; the receiver's certificate must be valid for its name.
//
// For one thread. REQUIRES: SIGPIPE is blocked or ignored (base/sigpipe.h).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include <openssl/types.h>

#include "alert/lookup.h"
#include "alert/url.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::alert {

struct FreeTls {
  void operator()(SSL* tls) const;
};

class Connection {
 public:
  // Looks the host up, connects to the first of its addresses that answers, and for https agrees on
  // TLS; gives up if `stop` asks. `ca_file` has the authorities to trust; empty: the system's.
  static base::Result<Connection> open(const Url& url, const std::filesystem::path& ca_file,
                                       Deadline deadline, const Stop& stop);

  // Writes all of `bytes`.
  base::Result<void> write(std::string_view bytes, Deadline deadline);
  // Reads what there is, at least a byte, and returns how many; 0 at the end.
  base::Result<std::size_t> read(std::span<char> into, Deadline deadline);

 private:
  explicit Connection(base::UniqueFd fd) : fd_(std::move(fd)) {}
  base::Result<void> begin_tls(const Url& url, const std::filesystem::path& ca_file,
                               Deadline deadline, const Stop& stop);
  // Repeats an operation of OpenSSL until it has done something; returns what it returned, or 0 at
  // the end of the connection.
  template <typename Operation>
  base::Result<std::size_t> repeat(const char* what, Deadline deadline, const Stop* stop,
                                   Operation operation);

  base::UniqueFd fd_;
  std::unique_ptr<SSL, FreeTls> tls_;  // null: plain
};

}  // namespace reveal::alert
