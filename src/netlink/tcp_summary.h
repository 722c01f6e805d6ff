// A summary of all TCP sockets of a host: their number, quantiles of their values, and
// sums.
//
// The kernel's byte and time counts end with their socket, so their plain sum falls whenever a
// connection closes. Here their growth is followed from reading to reading, socket by socket, which
// makes counters that only grow; what a socket counted between the last reading and its end is
// lost. All memory is taken beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "netlink/tcp_socket.h"

namespace reveal::netlink {

// A number that each socket has, kept to be ranked.
class Ranked {
 public:
  explicit Ranked(std::size_t limit) { values_.reserve(limit); }
  void clear() { values_.clear(); }
  void add(std::optional<std::uint64_t> value) {
    if (value && values_.size() < values_.capacity()) values_.push_back(*value);
  }
  // Returns the smallest value that at least the share `q` of all values does not exceed; nothing
  // if there is none. Reorders the values.
  std::optional<std::uint64_t> quantile(double q);
  std::optional<std::uint64_t> sum() const;

 private:
  std::vector<std::uint64_t> values_;
};

class TcpSummary {
 public:
  explicit TcpSummary(std::size_t limit);

  // Starts a reading.
  void begin();
  // Takes a socket in, up to the limit.
  void add(const TcpSocket& socket);
  // Ends a reading. `complete`: these were all sockets of the host.
  void end(bool complete);

  std::size_t sockets() const { return before_.size(); }  // of the reading that ended
  bool complete() const { return complete_; }
  std::uint64_t count(std::uint8_t state) const;

  Ranked rtt_us;
  Ranked rtt_deviation_us;
  Ranked min_rtt_us;
  Ranked window;
  Ranked reordering;
  Ranked delivery_rate;
  Ranked retransmitting;
  Ranked lost;
  Ranked unacknowledged;
  Ranked not_sent;
  std::uint64_t longest_receive_queue = 0;
  std::uint64_t longest_send_queue = 0;

  // Growth since the first reading; nothing if this kernel does not say.
  std::optional<std::uint64_t> retransmitted_bytes{};
  std::optional<std::uint64_t> receive_window_limited_us{};
  std::optional<std::uint64_t> send_buffer_limited_us{};

 private:
  // The counts of a socket at one reading.
  struct Counts {
    std::uint64_t cookie = 0;
    std::optional<std::uint64_t> retransmitted_bytes{};
    std::optional<std::uint64_t> receive_window_limited_us{};
    std::optional<std::uint64_t> send_buffer_limited_us{};
  };

  void follow(const Counts& now);
  const Counts* find_before(std::uint64_t cookie) const;

  std::size_t limit_;
  std::uint64_t established_ = 0;
  std::uint64_t close_wait_ = 0;
  std::uint64_t syn_received_ = 0;
  bool complete_ = false;
  bool complete_before_ = false;  // so that a socket not seen then is new
  std::vector<Counts> now_;
  std::vector<Counts> before_;  // by cookie
};

}  // namespace reveal::netlink
