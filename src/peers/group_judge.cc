// How a group's hosts are judged in one second.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "fleet/difference.h"
#include "fleet/resolution.h"
#include "peers/group.h"
#include "peers/lost_segments.h"

namespace reveal::peers {
namespace {

using fleet::kLimit;
// Two hosts do not tell how far alike hosts lie from one another.
constexpr double kForTwo = 3;
// Of up to so many hosts, one moves the medians of the others.
constexpr std::size_t kFew = 5;
// Of the last windows, in so many a host must have missed segments. An alarm of somebody who sends
// again is there too.
constexpr int kFewestMissedWindows = 2;
// No quantity of a host is larger. Sums of 20 distances of levels within it are finite in an f32.
constexpr double kLargest = 1e30;

// Errors of which a window need not have as many are such that one of them matters.
constexpr double kMoreThanOne = 1.5;
// Of quantities of a host besides the one that is above its peers.
constexpr double kFewestOthers = 2;

bool is_alarm(std::uint8_t windows) {
  return std::popcount(windows & kLastWindows) >= kBeyond;
}

// Returns how many windows ago the first of the last ones was beyond.
std::int64_t windows_since(std::uint8_t windows) {
  return std::bit_width(windows & kLastWindows) - 1;
}

float bounded(double level) {
  return static_cast<float>(std::clamp(level, -kLargest, kLargest));
}

// Returns the mean level of a quantity over two seconds or more; NaN if too few have one.
float mean_of(std::span<const wire::Code* const> seconds, std::size_t place, std::uint16_t floor) {
  const auto newest = seconds.front()[place];
  const auto is_newest = [&](const wire::Code* codes) { return codes[place] == newest; };
  // Most quantities do not move. The mean of equal levels is that level, exactly.
  if (std::ranges::all_of(seconds.subspan(1), is_newest)) {
    return bounded(wire::level_of(newest, floor));
  }
  double sum = 0;
  std::size_t count = 0;
  for (const auto* codes : seconds) {
    const float level = wire::level_of(codes[place], floor);
    if (std::isnan(level)) continue;
    sum += level;
    ++count;
  }
  if (count < kFewestSeconds) return std::numeric_limits<float>::quiet_NaN();
  return bounded(sum / static_cast<double>(count));
}

// Leaves the values in another order.
double median_of(std::vector<float>& values) {
  return values.size() == 1 ? values.front() : LeaveOneOut(values).median();
}

}  // namespace

void Group::fill_tile(std::size_t first) {
  tile_.first = first;
  tile_.columns = std::min(Tile::kColumns, columns_.size() - first);
  for (std::size_t i = 0; i < tile_.columns; ++i) tile_.parts[i].levels.resize(present_.size());
  for (std::size_t at = 0; at < present_.size(); ++at) {
    const auto& member = *present_[at];
    const auto& places = *member.places;
    const auto& quantities = member.meaning->quantities;
    const auto seconds = std::span(member.codes).first(member.told);
    for (std::size_t i = 0; i < tile_.columns; ++i) {
      const auto place = place_in(places, first + i);
      const auto at_place = static_cast<std::size_t>(place);
      tile_.parts[i].levels[at] = place < 0
                                      ? std::numeric_limits<float>::quiet_NaN()
                                      : mean_of(seconds, at_place, quantities[at_place].floor);
    }
  }
}

double Group::pair_factor() const {
  return present_.size() < kFewestNamed ? kForTwo : 1;
}

void Group::judge_tile() {
  const std::size_t least = present_.size() < kFewestNamed ? 2 : kFewestNamed;
  for (std::size_t i = 0; i < tile_.columns; ++i) {
    auto& part = tile_.parts[i];
    part.peers.reset();
    finite_.resize(part.levels.size());
    const auto end = std::ranges::remove_copy_if(part.levels, finite_.begin(), [](float level) {
                       return std::isnan(level);
                     }).out;
    const std::span values(finite_.begin(), end);
    if (values.size() < least) continue;
    part.peers.emplace(values);
    const auto& quantity = columns_[tile_.first + i].quantity;
    part.resolution = fleet::resolution(quantity, part.peers->median(),
                                        {.window_s = static_cast<double>(kWindowSeconds)});
    // The middle of two moves with one of them.
    if (least == kFewestNamed) {
      judge_group(tile_.first + i, part.peers->median(), part.resolution);
    }
  }
  for (std::size_t at = 0; at < present_.size(); ++at) {
    for (std::size_t i = 0; i < tile_.columns; ++i) {
      const auto& part = tile_.parts[i];
      if (part.peers && !std::isnan(part.levels[at])) judge_quantity(*present_[at], i, at);
    }
  }
}

// Returns whether the distances of this second do not tell how far a host lies from its peers: of
// few hosts, one that is slow moves the peers of the others.
bool Group::is_disturbed(const Column& column) const {
  return present_.size() <= kFew && column.alarm_ns >= 0 &&
         next_ns_ - column.alarm_ns <= kSecond_ns;
}

// Returns whether a distance of 0 says no more of a host's quantity than that it is judged, and
// goes on as usual. So it is with most quantities of most hosts.
bool Group::is_quiet(const Member& member, std::size_t place, const Column& column) const {
  const bool is_signal = member.meaning->quantities[place].least_rise > 0;
  return member.past.lies_at_zero(place) && (!is_signal || member.rise_of(place).is_at_rest()) &&
         !column.is_missed && !is_disturbed(column);
}

void Group::judge_quantity(Member& member, std::size_t part, std::size_t at) {
  const auto& in = tile_.parts[part];
  auto& column = columns_[tile_.first + part];
  const auto place = static_cast<std::size_t>((*member.places)[tile_.first + part]);
  const float level = in.levels[at];
  const double peers = in.peers->without(level);
  const double distance = level - peers;
  auto& past = member.past;
  if (distance == 0 && is_quiet(member, place, column)) {
    ++member.judged;
    past.add_zero(place);
    return;
  }
  if (!past.is_known(place)) {
    past.add(place, static_cast<float>(distance), Lesson::kAll);
    return;
  }
  const double rise = distance - past.offset(place);
  const double usual_rise = std::max<double>(past.spread(place), in.resolution);
  const double limit = kLimit * pair_factor() * std::max(usual_rise, column.pooled);
  const bool is_unusual = std::abs(rise) > limit;
  ++member.judged;
  if (std::abs(rise) * member.far_limit > member.far_rise * limit) {
    member.far_rise = std::abs(rise);
    member.far_limit = limit;
  }
  // What matters is said by each host's own dictionary, not by that of whoever came first.
  const float least_rise = member.meaning->quantities[place].least_rise;
  const Found found{.column = tile_.first + part,
                    .observed = level,
                    .usual = peers,
                    .rise = rise,
                    .limit = limit,
                    .least_rise = least_rise};
  if (is_unusual) {
    ++member.unusual;
    if (member.farthest.limit == 0 ||
        std::abs(rise) / limit > std::abs(member.farthest.rise) / member.farthest.limit) {
      member.farthest = found;
    }
  }
  if (column.is_missed) {
    const bool is_beyond = rise > limit && rise >= kFewestMissed;
    member.missed = static_cast<std::uint8_t>(member.missed << 1 | (is_beyond ? 1 : 0));
    member.missing = found;
  }
  const bool alarms = least_rise > 0 && judge_signal(member, place, found);
  past.add(place, static_cast<float>(distance),
           alarms || is_disturbed(column) ? Lesson::kNone
           : is_unusual                   ? Lesson::kSpread
                                          : Lesson::kAll);
}

bool Group::judge_signal(Member& member, std::size_t place, Found found) {
  auto& column = columns_[found.column];
  auto& recent = member.rise_of(place);
  if (recent.take(found.rise, found.limit, found.least_rise)) column.brief_ns = next_ns_;
  const double from = found.observed - found.rise;
  const double least = std::max<double>(found.limit, found.least_rise);
  bool is_held = false;
  bool is_strong = false;
  if (recent.is_beyond()) {
    is_held = seconds_above(member, place, from + least, kLastSeconds) >= kBeyond;
    is_strong =
        seconds_above(member, place, from + kStrong * least, kLastOfStrong) >= kStrongSeconds;
  }
  const bool is_counted = column.quantity.kind == model::Kind::kEvent;
  if (is_counted) is_held = is_held || recent.goes_on();
  const bool one_is_enough =
      is_counted && found.least_rise * static_cast<double>(kWindowSeconds) < kMoreThanOne;
  const bool is_restless =
      !one_is_enough && column.brief_ns >= 0 && std::abs(next_ns_ - column.brief_ns) < kRestless_ns;
  found.is_enough = recent.lasts() || (is_held && !is_restless);
  if (!is_held && !is_strong && !recent.goes_on()) return false;
  member.found.push_back(found);
  column.alarm_ns = next_ns_;
  return true;
}

// Returns how many of so many last seconds lay there by themselves, or above.
int Group::seconds_above(const Member& member, std::size_t place, double level, int last) const {
  const auto& meant = *member.meaning;
  int out = 0;
  for (std::int64_t back = 0; back < last; ++back) {
    const auto* second = member.host->second(next_ns_ - back * kSecond_ns);
    if (second == nullptr || second->dictionary != meant.number) continue;
    if (second->codes.size() != meant.quantities.size()) continue;
    if (wire::level_of(second->codes[place], meant.quantities[place].floor) >= level) ++out;
  }
  return out;
}

// Returns whether what is held by one of its quantities is seen in more of it.
bool Group::is_in_company(const Member& member) const {
  const auto* now = member.newest;
  if (now != nullptr && !now->is_learning && now->votes >= kFewestVotes) return true;
  const auto others = static_cast<double>(member.unusual) - 1;
  const auto usual = company_share_.value_or(0) * static_cast<double>(member.judged);
  return others >= kFewestOthers && others > usual;
}

void Group::judge_group(std::size_t column, double median, double resolution) {
  const float least = columns_[column].least_rise;
  if (least <= 0) return;
  const auto level = static_cast<float>(median);
  if (!past_.is_known(column)) {
    past_.add(column, level, Lesson::kAll);
    return;
  }
  const double usual = past_.offset(column);
  const double rise = median - usual;
  const double limit = kLimit * std::max<double>(past_.spread(column), resolution);
  auto& above = above_past_[column];
  above = static_cast<std::uint8_t>(above << 1 | (rise > limit && rise >= least ? 1 : 0));
  const bool alarms = is_alarm(above);
  if (alarms) of_group_.push_back({column, median, usual, rise, limit, least});
  past_.add(column, level,
            alarms                   ? Lesson::kNone
            : std::abs(rise) > limit ? Lesson::kSpread
                                     : Lesson::kAll);
}

double Group::strength(const Found& found) {
  return found.rise / std::max<double>(found.limit, found.least_rise);
}

std::vector<Evidence> Group::told(std::vector<Found> found) const {
  std::ranges::stable_sort(found, std::greater(), [&](const Found& one) { return strength(one); });
  if (found.size() > kMaxEvidence) found.resize(kMaxEvidence);
  std::vector<Evidence> out;
  out.reserve(found.size());
  for (const auto& one : found) {
    out.push_back({columns_[one.column].quantity, one.observed, one.usual, one.rise, one.limit,
                   one.least_rise});
  }
  return out;
}

std::int64_t Group::onset_of(const Member& member, const Found& found) const {
  const auto place = static_cast<std::size_t>((*member.places)[found.column]);
  const std::int64_t window_ns = next_ns_ - member.rise_of(place).since() * kSecond_ns;
  const double half = found.observed - found.rise / 2;
  const auto floor = member.meaning->quantities[place].floor;
  for (auto back = static_cast<std::int64_t>(kWindowSeconds) - 1; back > 0; --back) {
    const auto* second = member.host->second(window_ns - back * kSecond_ns);
    if (second == nullptr || second->codes.size() != member.meaning->quantities.size()) continue;
    if (wire::level_of(second->codes[place], floor) >= half) return second->begin_ns;
  }
  return window_ns;
}

void Group::conclude(Member& member, Judgment& out) {
  const double share =
      member.judged == 0 ? 0
                         : static_cast<double>(member.unusual) / static_cast<double>(member.judged);
  const auto* now = member.newest;
  const bool has_verdict = verdict_share_ && share > *verdict_share_ && now != nullptr &&
                           !now->is_learning && now->votes >= kFewestVotes;
  // One that is slow for long must not hide what comes after it.
  if (member.judged > 0 && member.found.empty()) shares_.add(share);
  member.own_verdict = static_cast<std::uint8_t>(member.own_verdict << 1 | (has_verdict ? 1 : 0));
  if (!member.found.empty()) member.rose_ns = next_ns_ + kSecond_ns;
  // One that is told goes on as long as its rise does.
  if (member.onset_ns < 0 && !is_in_company(member)) {
    std::erase_if(member.found, [](const Found& one) { return !one.is_enough; });
  }
  const bool by_verdict = member.found.empty() && is_alarm(member.own_verdict);
  if (member.found.empty() && !by_verdict) {
    member.onset_ns = -1;
  } else {
    if (by_verdict && member.farthest.limit > 0) member.found.push_back(member.farthest);
    if (member.onset_ns < 0) {
      const auto strongest = std::ranges::max_element(
          member.found, {}, [&](const Found& one) { return strength(one); });
      member.onset_ns = by_verdict || strongest == member.found.end()
                            ? next_ns_ - windows_since(member.own_verdict) * kSecond_ns
                            : onset_of(member, *strongest);
    }
    out.slow.push_back({member.host, member.onset_ns, told(member.found)});
  }
  member.past.end_window();
}

// Who sends again says that segments are lost, but not where.
void Group::name_receiver(Judgment& out) const {
  const bool is_sent_again = std::ranges::any_of(out.slow, [](const Accusation& one) {
    return !one.evidence.empty() && is_told_by_sender(one.evidence.front().quantity);
  });
  if (!is_sent_again) return;
  std::vector<double> rises;
  for (const auto* member : present_) {
    const bool misses = std::popcount(member->missed & kLastWindows) >= kFewestMissedWindows;
    rises.push_back(misses ? member->missing.rise : 0);
  }
  const auto found = receiver_of(rises);
  if (!found) return;
  const Member& receiver = *present_[*found];
  const auto place = std::ranges::lower_bound(
      out.slow, receiver.host->id(), {},
      [](const Accusation& one) -> const std::string& { return one.host->id(); });
  if (place != out.slow.end() && place->host == receiver.host) {
    place->misses_segments = true;
    return;
  }
  const std::int64_t onset_ns = next_ns_ - windows_since(receiver.missed) * kSecond_ns;
  out.slow.insert(place, {receiver.host, onset_ns, told({receiver.missing}), true});
}

void Group::conclude_group(Judgment& out) {
  shares_.end_window();
  past_.end_window();
  if (present_.size() >= kFewestNamed) seen_ns_ = next_ns_;
  if (!of_group_.empty()) rose_ns_ = next_ns_ + kSecond_ns;
  if (of_group_.empty()) {
    group_onset_ns_ = -1;
  } else {
    if (group_onset_ns_ < 0) {
      const auto column = std::ranges::max_element(of_group_, {}, [&](const Found& one) {
                            return strength(one);
                          })->column;
      group_onset_ns_ = next_ns_ - windows_since(above_past_[column]) * kSecond_ns;
    }
    out.of_group = told(of_group_);
    out.group_onset_ns = group_onset_ns_;
  }
  if (++windows_ % kWindowsInBlock != 0) return;
  pool();
  remove_columns();
  must_choose_kept_ = true;
}

void Group::pool() {
  for (std::size_t first = 0; first < columns_.size(); first += Tile::kColumns) pool_tile(first);
}

void Group::pool_tile(std::size_t first) {
  std::array<std::vector<float>, Tile::kColumns> spreads;
  std::array<std::vector<float>, Tile::kColumns> least_rises;
  const auto count = std::min(Tile::kColumns, columns_.size() - first);
  for (const auto* member : present_) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = place_in(*member->places, first + i);
      if (place < 0) continue;
      const auto at = static_cast<std::size_t>(place);
      least_rises[i].push_back(member->meaning->quantities[at].least_rise);
      if (member->past.is_known(at)) spreads[i].push_back(member->past.spread(at));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    auto& column = columns_[first + i];
    column.pooled = spreads[i].empty() ? 0 : median_of(spreads[i]);
    if (least_rises[i].empty()) continue;
    column.least_rise = static_cast<float>(median_of(least_rises[i]));
  }
}

}  // namespace reveal::peers
