#include "fleet_site/run_incidents.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace reveal::fleet_site {

void RunIncidents::take(const peers::News& news) {
  const auto& fresh = news.incident;
  auto& known = all_[fresh.id];
  const bool is_known =
      known != nullptr && known->revision >= fresh.revision && known->is_open == fresh.is_open;
  if (is_known) return;
  known = std::make_shared<const ShownIncident>(shown(news));
  list_.reset();
  if (!fresh.is_open) bound();
}

void RunIncidents::keep_open(const std::set<std::string>& open) {
  const auto gone = std::erase_if(
      all_, [&](const auto& one) { return one.second->is_open && !open.contains(one.first); });
  if (gone > 0) list_.reset();
}

void RunIncidents::bound() {
  const auto over =
      std::ranges::count_if(all_, [](const auto& one) { return !one.second->is_open; });
  if (static_cast<std::size_t>(over) <= kMostOver) return;
  auto oldest = all_.end();
  for (auto it = all_.begin(); it != all_.end(); ++it) {
    if (it->second->is_open) continue;
    if (oldest == all_.end() || it->second->end_ns < oldest->second->end_ns) oldest = it;
  }
  all_.erase(oldest);
}

std::shared_ptr<const ShownList> RunIncidents::list() {
  if (list_ != nullptr) return list_;
  ShownList out;
  out.reserve(all_.size());
  for (const auto& [id, one] : all_) out.push_back(one);
  std::ranges::sort(out, std::greater(), [](const auto& one) { return place_of(*one); });
  list_ = std::make_shared<const ShownList>(std::move(out));
  return list_;
}

}  // namespace reveal::fleet_site
