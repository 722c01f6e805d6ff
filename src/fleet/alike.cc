#include "fleet/alike.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "stats/quantile.h"

namespace reveal::fleet {
namespace {

// Errors, and what they are a share of.
struct ShareRow {
  std::string_view errors;
  std::string_view of;
};
constexpr std::array<ShareRow, 4> kShares{{
    {"network_tcp_retransmits_total", "network_tcp_sent_segments_total"},
    {"network_receive_drops_total", "network_received_packets_total"},
    {"network_receive_errors_total", "network_received_packets_total"},
    {"network_send_drops_total", "network_sent_packets_total"},
}};

const ShareRow* share_row(std::string_view errors) {
  const auto it = std::find_if(kShares.begin(), kShares.end(),
                               [&](const auto& row) { return row.errors == errors; });
  return it == kShares.end() ? nullptr : &*it;
}

bool is_whole(std::string_view metric) {
  return std::any_of(kShares.begin(), kShares.end(),
                     [&](const auto& row) { return row.of == metric; });
}

double mean_of(std::span<const float> levels) {
  double sum = 0;
  std::size_t count = 0;
  for (const float level : levels) {
    if (std::isnan(level)) continue;
    sum += level;
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

// Returns median, lowest and highest.
std::array<double, 3> summary(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {stats::median(values), *low, *high};
}

// What cores count are page faults and the like, no errors.
bool is_told(const Quantity& quantity) {
  return quantity.kind == model::Kind::kEvent && quantity.fold != Fold::kMeanOfCores &&
         quantity.fold != Fold::kHighestCore;
}

}  // namespace

void AlikeWatch::take(const ComparedQuantity& compared) {
  const auto& quantity = compared.quantity;
  if (!is_told(quantity) && !is_whole(quantity.metric)) return;
  Means out{quantity, {}};
  for (const auto& levels : compared.levels) out.by_host.push_back(mean_of(levels));
  means_.push_back(std::move(out));
}

std::vector<AlikeErrors> AlikeWatch::result(std::span<const Difference> differences) const {
  std::vector<AlikeErrors> out;
  for (const auto& errors : means_) {
    if (!is_told(errors.quantity)) continue;
    const auto& by_host = errors.by_host;
    if (!std::all_of(by_host.begin(), by_host.end(), [](double mean) { return mean > 0; }))
      continue;
    const bool stands_out =
        std::any_of(differences.begin(), differences.end(), [&](const auto& difference) {
          return difference.quantity.metric == errors.quantity.metric;
        });
    if (stands_out) continue;
    const auto [median, low, high] = summary(by_host);
    AlikeErrors one{errors.quantity, median, low, high, std::nullopt};
    const auto* row = share_row(errors.quantity.metric);
    const auto whole = std::find_if(means_.begin(), means_.end(), [&](const auto& means) {
      return row != nullptr && means.quantity.metric == row->of &&
             means.quantity.instance == errors.quantity.instance;
    });
    if (whole != means_.end()) {
      std::vector<double> shares;
      for (std::size_t host = 0; host < by_host.size(); ++host) {
        if (whole->by_host[host] > 0) shares.push_back(by_host[host] / whole->by_host[host]);
      }
      if (shares.size() == by_host.size()) {
        const auto [middle, least, most] = summary(shares);
        one.share = {whole->quantity.label, middle, least, most};
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace reveal::fleet
