// One host's connection to the broker: NATS' protocol, plain or by TLS, on a socket that never
// blocks. A thread can have ten thousands of them, which the library of agents could not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "tls.h"
#include "wire/fields.h"

namespace reveal::sim {

// What was counted over all connections.
struct Counts {
  std::uint64_t sent = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t lost = 0;     // not acknowledged in kPatience_ns, or the connection was lost
  std::uint64_t refused = 0;  // the broker answered with an error
  std::uint64_t skipped = 0;  // not sent: too many are not acknowledged, or their time was over
  std::uint64_t connects = 0;
  std::uint64_t closed = 0;  // by the broker
};

// How long acknowledgments took, by powers of 2^(1/4) from 10 us on.
class Latencies {
 public:
  void take(std::int64_t ns);
  // Returns what that share of them was below, in ms; 0 if there are none.
  double quantile_ms(double share) const;
  void clear() { counts_ = {}; }

 private:
  std::array<std::uint64_t, 96> counts_{};
};

class Connection {
 public:
  static constexpr std::int64_t kPatience_ns = 5'000'000'000;
  static constexpr std::size_t kMostOpen = 64;  // not acknowledged, as with agents

  // With `tls`, which must live as long, all but the broker's first word is encrypted.
  Connection(Counts& counts, Latencies& latencies, const TlsContext* tls)
      : counts_(counts), latencies_(latencies), tls_(tls) {}

  // Begins to connect to the broker on this machine. Returns whether there is a socket.
  bool open(std::uint16_t port, std::size_t number);
  int socket() const { return socket_.get(); }
  bool is_open() const { return socket_.valid(); }
  // Returns whether the broker takes messages of it.
  bool is_ready() const { return is_ready_; }
  bool wants_to_write() const { return !out_.empty() && !waits_for_broker_; }

  // Reads what there is. Returns false if the connection is gone, after it was closed.
  bool read(std::int64_t now_ns);
  // Writes what waits. Returns likewise.
  bool write();

  // Sends a message, and waits for its acknowledgment. Returns false, and counts it, if it may not.
  bool publish(std::string_view subject, wire::ByteView payload, std::int64_t now_ns);
  // Counts what was not acknowledged in time. Returns whether anything was.
  bool expire(std::int64_t now_ns);

 private:
  void close();
  ssize_t receive(char* to, std::size_t size);
  ssize_t send_some();
  void take_line(std::string_view line);
  void take_message(std::string_view subject, std::string_view payload, bool has_head,
                    std::int64_t now_ns);
  std::optional<std::size_t> parse_one(std::string_view rest, std::int64_t now_ns);

  Counts& counts_;
  Latencies& latencies_;
  const TlsContext* tls_;
  base::UniqueFd socket_;
  TlsSession session_;
  bool waits_for_broker_ = false;  // to go on writing
  bool is_ready_ = false;
  std::size_t number_ = 0;
  std::string in_;
  std::string out_;
  std::uint64_t next_ = 0;                         // number of the next message
  std::array<std::int64_t, kMostOpen> sent_ns_{};  // by number; 0: acknowledged
  std::uint64_t oldest_ = 0;                       // that is not acknowledged
};

}  // namespace reveal::sim
