// What a Group finds in hosts that do not vote, found in the plainest way: each host's peers are
// sorted, each quantity of each host goes the whole way, and nothing is taken for equal. A
// reference for tests. It has its rules from group.h, and shares RecentRise and ShareQuantile with
// Group. A host's dictionary stays what it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/difference.h"
#include "fleet/resolution.h"
#include "peers/group.h"
#include "peers/testing/plain_past.h"
#include "stats/quantile.h"

namespace reveal::peers {

class PlainGroup {
 public:
  // A quantity of a host, against its peers.
  struct Found {
    std::size_t column = 0;
    double observed = 0;
    double usual = 0;
    double rise = 0;
    double limit = 0;
    double least_rise = 0;
    bool is_enough = false;
    double strength() const { return rise / std::max(limit, least_rise); }
  };
  struct Quantity {
    std::size_t place = 0;  // in the host's dictionary
    const MeantQuantity* meant = nullptr;
    PlainPast past{kOffsetBlocks, kSpreadBlocks};
    RecentRise recent{};
  };
  struct Member {
    std::shared_ptr<const Meaning> meaning{};
    std::vector<std::optional<Quantity>> quantities{};  // by column; nothing: it has none
    std::int64_t seen_ns = -1;
    bool is_slow = false;
    std::size_t judged = 0;
    std::size_t unusual = 0;
    double far_rise = 0;
    double far_limit = 1;
    std::vector<Found> found{};  // what makes it slow, the strongest first
  };

  // `columns`: the keys of the quantities, in the order in which the group has them.
  explicit PlainGroup(std::vector<std::string> columns)
      : keys_(std::move(columns)), columns_(keys_.size()) {}

  // Judges the second that begins then, of the hosts that are compared in it, in the order of their
  // ids; `heard`: how many have told it.
  void judge(std::int64_t begin_ns, const std::vector<const Host*>& hosts, std::size_t heard) {
    now_ns_ = begin_ns;
    present_.clear();
    if (static_cast<double>(heard) < kFewest * static_cast<double>(hosts.size())) return;
    for (const auto* host : hosts) {
      if (hosts.size() >= 2 && told(*host) >= kFewestSeconds) begin(*host);
    }
    if (present_.size() < 2) return;
    for (std::size_t column = 0; column < keys_.size(); ++column) judge_column(column);
    company_share_ = shares_.quantile(0.99);
    for (const auto* host : present_) conclude(members_[host]);
    shares_.end_window();
    if (++windows_ % kWindowsInBlock == 0) pool();
  }

  const Member& member(const Host& host) { return members_[&host]; }
  // Returns the hosts of the last second; none if it was not judged.
  const std::vector<const Host*>& present() const { return present_; }

 private:
  struct Column {
    double pooled = 0;
    std::int64_t alarm_ns = -1;
    std::int64_t brief_ns = -1;
  };
  struct Level {
    const Host* host = nullptr;
    double level = 0;
  };

  std::size_t told(const Host& host) const {
    std::size_t out = 0;
    for (std::int64_t back = 0; back < std::int64_t{kWindowSeconds}; ++back) {
      if (host.second(now_ns_ - back * kSecond_ns) != nullptr) ++out;
    }
    return out;
  }

  void begin(const Host& host) {
    auto& member = members_[&host];
    if (!member.meaning) prepare(host, member);
    member.judged = member.unusual = 0;
    member.far_rise = 0;
    member.far_limit = 1;
    member.found.clear();
    if (std::exchange(member.seen_ns, now_ns_) != now_ns_ - kSecond_ns) {
      for (auto& quantity : member.quantities) {
        if (quantity) quantity->recent = {};
      }
      member.is_slow = false;
    }
    present_.push_back(&host);
  }

  void prepare(const Host& host, Member& member) const {
    member.meaning = host.meaning();
    member.quantities.resize(keys_.size());
    for (std::size_t place = 0; place < member.meaning->quantities.size(); ++place) {
      const auto& meant = member.meaning->quantities[place];
      const auto column = std::ranges::find(keys_, meant.quantity.key()) - keys_.begin();
      member.quantities[static_cast<std::size_t>(column)] = {.place = place, .meant = &meant};
    }
  }

  // Returns the levels of so many last seconds, the newest first; no number where there is none.
  std::vector<double> levels_of(const Host& host, const Quantity& quantity, int seconds) const {
    std::vector<double> out;
    for (std::int64_t back = 0; back < seconds; ++back) {
      const auto* second = host.second(now_ns_ - back * kSecond_ns);
      if (second == nullptr) continue;
      const double level = wire::level_of(second->codes[quantity.place], quantity.meant->floor);
      if (!std::isnan(level)) out.push_back(level);
    }
    return out;
  }

  void judge_column(std::size_t column) {
    std::vector<Level> levels;
    const MeantQuantity* meant = nullptr;
    for (const auto* host : present_) {
      const auto& quantity = members_[host].quantities[column];
      if (!quantity) continue;
      const auto seconds = levels_of(*host, *quantity, static_cast<int>(kWindowSeconds));
      if (seconds.size() < kFewestSeconds) continue;
      double sum = 0;
      for (const double level : seconds) sum += level;
      const double mean = sum / static_cast<double>(seconds.size());
      levels.push_back({host, static_cast<float>(std::clamp(mean, -1e30, 1e30))});
      meant = quantity->meant;
    }
    if (levels.size() < (present_.size() < kFewestNamed ? 2 : kFewestNamed)) return;
    std::vector<double> sorted;
    for (const auto& one : levels) sorted.push_back(one.level);
    std::ranges::sort(sorted);
    const double resolution =
        fleet::resolution(meant->quantity, stats::median_of_sorted(sorted), {.window_s = 3});
    for (const auto& one : levels) {
      auto others = sorted;
      others.erase(std::ranges::lower_bound(others, one.level));
      judge_one(*one.host, {column, one.level, stats::median_of_sorted(others)}, resolution);
    }
  }

  void judge_one(const Host& host, Found found, double resolution) {
    auto& member = members_[&host];
    auto& quantity = *member.quantities[found.column];
    auto& column = columns_[found.column];
    const double distance = found.observed - found.usual;
    if (!quantity.past.is_known()) {
      quantity.past.add(static_cast<float>(distance), Lesson::kAll);
      return;
    }
    const double own = quantity.past.spread();
    found.rise = distance - quantity.past.offset();
    found.limit = fleet::kLimit * (present_.size() < kFewestNamed ? 3 : 1) *
                  std::max({own, resolution, column.pooled});
    found.least_rise = quantity.meant->least_rise;
    const bool is_unusual = std::abs(found.rise) > found.limit;
    ++member.judged;
    if (is_unusual) ++member.unusual;
    if (std::abs(found.rise) * member.far_limit > member.far_rise * found.limit) {
      member.far_rise = std::abs(found.rise);
      member.far_limit = found.limit;
    }
    const bool alarms = found.least_rise > 0 && judge_signal(host, found);
    const bool is_disturbed =
        present_.size() <= 5 && column.alarm_ns >= 0 && now_ns_ - column.alarm_ns <= kSecond_ns;
    const auto lesson = is_unusual ? Lesson::kSpread : Lesson::kAll;
    quantity.past.add(static_cast<float>(distance),
                      alarms || is_disturbed ? Lesson::kNone : lesson);
  }

  bool judge_signal(const Host& host, Found found) {
    auto& member = members_[&host];
    auto& column = columns_[found.column];
    auto& quantity = *member.quantities[found.column];
    auto& recent = quantity.recent;
    if (recent.take(found.rise, found.limit, found.least_rise)) column.brief_ns = now_ns_;
    const double usual = found.observed - found.rise;
    const double least = std::max(found.limit, found.least_rise);
    const auto seconds_above = [&](double level, int last) {
      return std::ranges::count_if(levels_of(host, quantity, last),
                                   [&](double one) { return one >= level; });
    };
    bool is_held = recent.is_beyond() && seconds_above(usual + least, kLastSeconds) >= kBeyond;
    const bool is_strong = recent.is_beyond() &&
                           seconds_above(usual + kStrong * least, kLastOfStrong) >= kStrongSeconds;
    const bool is_counted = quantity.meant->quantity.kind == model::Kind::kEvent;
    if (is_counted && recent.goes_on()) is_held = true;
    const bool one_is_enough = is_counted && found.least_rise * 3 < 1.5;
    const bool is_restless =
        !one_is_enough && column.brief_ns >= 0 && now_ns_ - column.brief_ns < kRestless_ns;
    found.is_enough = recent.lasts() || (is_held && !is_restless);
    if (!is_held && !is_strong && !recent.goes_on()) return false;
    member.found.push_back(found);
    column.alarm_ns = now_ns_;
    return true;
  }

  void conclude(Member& member) {
    const auto judged = static_cast<double>(member.judged);
    if (member.judged > 0 && member.found.empty()) {
      shares_.add(static_cast<double>(member.unusual) / judged);
    }
    const double others = static_cast<double>(member.unusual) - 1;
    const bool is_in_company = others >= 2 && others > company_share_.value_or(0) * judged;
    if (!member.is_slow && !is_in_company) {
      std::erase_if(member.found, [](const Found& one) { return !one.is_enough; });
    }
    member.is_slow = !member.found.empty();
    std::ranges::stable_sort(member.found, std::greater(), &Found::strength);
    if (member.found.size() > kMaxEvidence) member.found.resize(kMaxEvidence);
    for (auto& quantity : member.quantities) {
      if (quantity) quantity->past.end_window();
    }
  }

  void pool() {
    for (std::size_t column = 0; column < keys_.size(); ++column) {
      std::vector<double> spreads;
      for (const auto* host : present_) {
        const auto& quantity = members_[host].quantities[column];
        if (quantity && quantity->past.is_known()) spreads.push_back(quantity->past.spread());
      }
      columns_[column].pooled = spreads.empty() ? 0 : stats::median(spreads);
    }
  }

  std::vector<std::string> keys_;
  std::vector<Column> columns_;
  std::map<const Host*, Member> members_;
  std::vector<const Host*> present_;
  ShareQuantile shares_;
  std::optional<double> company_share_;
  std::int64_t now_ns_ = 0;
  std::size_t windows_ = 0;
};

}  // namespace reveal::peers
