// The bytes of one connection, as they are or in TLS. Nothing waits: what would have to says so.
//
// For one thread. REQUIRES: SIGPIPE is blocked or ignored (base/sigpipe.h) if there is TLS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "http/tls.h"

namespace reveal::http {

class Wire {
 public:
  // Four times the longest record, of which all must be there before it is data. What honest
  // clients send beside data is less: a renewed key after some millions of records.
  static constexpr std::uint64_t kMostWithoutData = std::uint64_t{64} << 10;

  enum class Outcome : std::uint8_t {
    kDone,
    kWaits,  // for the socket
    kEnded,  // the connection: by the client, or because of an error
  };
  struct Transfer {
    Outcome outcome = Outcome::kEnded;
    std::size_t bytes = 0;  // at least 1 if it is done
  };

  // REQUIRES: `fd` does not block; `tls` is null or was begun on it.
  Wire(base::UniqueFd fd, TlsSession tls) : fd_(std::move(fd)), tls_(std::move(tls)) {}

  int fd() const { return fd_.get(); }
  bool is_encrypted() const { return tls_ != nullptr; }

  // Goes on with the handshake. REQUIRES: it is encrypted.
  Outcome agree();
  // Returns whether the handshake ended because the client speaks HTTP without TLS.
  bool heard_http() const { return heard_http_; }

  // Ends a connection whose client sends more than kMostWithoutData without data among it: each
  // record of these costs the server time, and no time limit ends a stream.
  Transfer read(std::span<char> into);
  Transfer write(std::string_view bytes);
  // Returns whether bytes wait here, of which the socket says nothing any more.
  bool has_more() const;
  // Returns whether the last agree() or read() waits until it can write.
  bool waits_to_write() const { return waits_to_write_; }

  // Writes without TLS, as far as the socket takes it: to a client that speaks none.
  void write_plain(std::string_view bytes) const;
  // Tells the client that nothing follows.
  void end_writing();
  // Reads and forgets what there is, which is then not looked at.
  Transfer forget() const;

 private:
  Outcome outcome_of(int result);
  std::uint64_t received() const;

  base::UniqueFd fd_;
  TlsSession tls_;                        // null: plain
  std::uint64_t received_with_data_ = 0;  // bytes from the socket up to the last data
  bool waits_to_write_ = false;
  bool heard_http_ = false;
  bool is_broken_ = false;  // TLS is: nothing can be told any more
};

}  // namespace reveal::http
