#include "netlink/tcp_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reveal::netlink {
namespace {

using Count = std::optional<std::uint64_t>;

// Adds what a socket's count grew by. A new socket counted all of it since the reading before.
void grow(Count& total, const Count& now, const Count* before, bool is_new) {
  if (!now) return;
  if (!total) total = 0;
  if (before != nullptr && *before && **before <= *now) *total += *now - **before;
  if (is_new) *total += *now;
}

}  // namespace

std::optional<std::uint64_t> Ranked::quantile(double q) {
  if (values_.empty()) return std::nullopt;
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values_.size())));
  const auto place = std::clamp<std::size_t>(rank, 1, values_.size()) - 1;
  const auto at = values_.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values_.begin(), at, values_.end());
  return *at;
}

std::optional<std::uint64_t> Ranked::sum() const {
  if (values_.empty()) return std::nullopt;
  return std::accumulate(values_.begin(), values_.end(), std::uint64_t{0});
}

TcpSummary::TcpSummary(std::size_t limit)
    : rtt_us(limit),
      rtt_deviation_us(limit),
      min_rtt_us(limit),
      window(limit),
      reordering(limit),
      delivery_rate(limit),
      retransmitting(limit),
      lost(limit),
      unacknowledged(limit),
      not_sent(limit),
      limit_(limit) {
  now_.reserve(limit);
  before_.reserve(limit);
}

void TcpSummary::begin() {
  for (Ranked* ranked : {&rtt_us, &rtt_deviation_us, &min_rtt_us, &window, &reordering,
                         &delivery_rate, &retransmitting, &lost, &unacknowledged, &not_sent}) {
    ranked->clear();
  }
  established_ = close_wait_ = syn_received_ = 0;
  longest_receive_queue = longest_send_queue = 0;
  now_.clear();
}

void TcpSummary::add(const TcpSocket& socket) {
  if (now_.size() >= limit_) return;
  if (socket.state == kTcpEstablished) ++established_;
  if (socket.state == kTcpCloseWait) ++close_wait_;
  if (socket.state == kTcpSynReceived) ++syn_received_;
  now_.push_back({socket.cookie, socket.retransmitted_bytes, socket.receive_window_limited_us,
                  socket.send_buffer_limited_us});
  if (socket.state == kTcpSynReceived) return;  // not yet connected: nothing is measured
  rtt_us.add(socket.rtt_us);
  rtt_deviation_us.add(socket.rtt_deviation_us);
  min_rtt_us.add(socket.min_rtt_us);
  window.add(socket.window);
  reordering.add(socket.reordering);
  delivery_rate.add(socket.delivery_rate);
  retransmitting.add(socket.retransmitting);
  lost.add(socket.lost);
  unacknowledged.add(socket.unacknowledged);
  not_sent.add(socket.not_sent);
  longest_receive_queue = std::max<std::uint64_t>(longest_receive_queue, socket.receive_queue);
  longest_send_queue = std::max<std::uint64_t>(longest_send_queue, socket.send_queue);
}

void TcpSummary::end(bool complete) {
  for (const Counts& counts : now_) follow(counts);
  std::sort(now_.begin(), now_.end(),
            [](const Counts& a, const Counts& b) { return a.cookie < b.cookie; });
  now_.swap(before_);
  complete_ = complete_before_ = complete;
}

const TcpSummary::Counts* TcpSummary::find_before(std::uint64_t cookie) const {
  const auto at =
      std::lower_bound(before_.begin(), before_.end(), cookie,
                       [](const Counts& counts, std::uint64_t key) { return counts.cookie < key; });
  return at == before_.end() || at->cookie != cookie ? nullptr : &*at;
}

void TcpSummary::follow(const Counts& now) {
  const Counts* before = find_before(now.cookie);
  const bool is_new = before == nullptr && complete_before_;
  grow(retransmitted_bytes, now.retransmitted_bytes,
       before == nullptr ? nullptr : &before->retransmitted_bytes, is_new);
  grow(receive_window_limited_us, now.receive_window_limited_us,
       before == nullptr ? nullptr : &before->receive_window_limited_us, is_new);
  grow(send_buffer_limited_us, now.send_buffer_limited_us,
       before == nullptr ? nullptr : &before->send_buffer_limited_us, is_new);
}

std::uint64_t TcpSummary::count(std::uint8_t state) const {
  if (state == kTcpEstablished) return established_;
  if (state == kTcpCloseWait) return close_wait_;
  return state == kTcpSynReceived ? syn_received_ : 0;
}

}  // namespace reveal::netlink
