#include "peers/group.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "fleet/difference.h"
#include "fleet/resolution.h"
#include "stats/quantile.h"

namespace reveal::peers {
namespace {

using fleet::kLimit;
// Two hosts do not tell how far alike hosts lie from one another.
constexpr double kForTwo = 3;
// Of up to so many hosts, one moves the medians of the others.
constexpr std::size_t kFew = 5;
// Hosts are counted so often.
constexpr std::int64_t kCountEvery_ns = kSecond_ns / 4;
// More seconds than are kept cannot be judged any more.
constexpr std::int64_t kLongestDelay_ns =
    (static_cast<std::int64_t>(kKeptSeconds) - 3) * kSecond_ns;
constexpr std::size_t kMaxColumns = 2 * wire::kMaxQuantities;
constexpr std::size_t kMaxPlaces = 256;

bool is_alarm(std::uint8_t windows) {
  return std::popcount(windows & kLastWindows) >= kBeyond;
}

// Returns how many windows ago the first of the last ones was beyond.
std::int64_t windows_since(std::uint8_t windows) {
  return std::bit_width(windows & kLastWindows) - 1;
}

std::size_t place_of(std::int64_t begin_ns, std::size_t places) {
  return static_cast<std::size_t>(begin_ns / kSecond_ns) % places;
}

float mean_of(std::span<const Second* const> seconds, std::size_t place, std::uint16_t floor) {
  float sum = 0;
  std::size_t count = 0;
  for (const auto* second : seconds) {
    if (second == nullptr) continue;
    const float level = wire::level_of(second->codes[place], floor);
    if (std::isnan(level)) continue;
    sum += level;
    ++count;
  }
  return count < kFewestSeconds ? std::numeric_limits<float>::quiet_NaN()
                                : sum / static_cast<float>(count);
}

}  // namespace

void Group::add(const Host& host) {
  auto member = std::make_unique<Member>();
  member->host = &host;
  const auto place = std::ranges::lower_bound(
      members_, host.id(), {},
      [](const auto& one) -> const std::string& { return one->host->id(); });
  members_.insert(place, std::move(member));
  counted_ns_ = 0;
}

void Group::remove(const Host& host) {
  std::erase_if(members_, [&](const auto& member) { return member->host == &host; });
  counted_ns_ = 0;
}

void Group::hear(std::int64_t begin_ns) {
  newest_ns_ = std::max(newest_ns_, begin_ns);
  if (next_ns_ < 0) next_ns_ = begin_ns;
  if (newest_ns_ - next_ns_ > kLongestDelay_ns) skip_to_newest();
  if (begin_ns >= next_ns_) ++heard_[place_of(begin_ns, heard_.size())];
}

void Group::skip_to_newest() {
  const std::int64_t to = newest_ns_ - kSecond_ns;
  const auto steps = std::min<std::int64_t>((to - next_ns_) / kSecond_ns,
                                            static_cast<std::int64_t>(heard_.size()));
  for (std::int64_t i = 0; i < steps; ++i) {
    heard_[place_of(next_ns_ + i * kSecond_ns, heard_.size())] = 0;
  }
  next_ns_ = to;
}

std::size_t Group::count_live(std::int64_t now_ns) {
  if (counted_ns_ == 0 || now_ns - counted_ns_ >= kCountEvery_ns) {
    counted_ns_ = now_ns;
    live_ = static_cast<std::size_t>(std::ranges::count_if(members_, [&](const auto& member) {
      return member->host->standing(now_ns) == Standing::kCompared;
    }));
  }
  return live_;
}

bool Group::is_due(std::int64_t now_ns) {
  const std::int64_t end_ns = next_ns_ + kSecond_ns;
  if (next_ns_ < 0 || newest_ns_ < next_ns_ || now_ns < end_ns) return false;
  if (now_ns >= end_ns + kPatience_ns) return true;
  const auto heard = static_cast<double>(heard_[place_of(next_ns_, heard_.size())]);
  return heard >= kEnough * static_cast<double>(count_live(now_ns));
}

std::optional<Judgment> Group::judge(std::int64_t now_ns, bool is_late) {
  if (!is_due(now_ns)) return std::nullopt;
  counted_ns_ = 0;
  Judgment out;
  out.begin_ns = next_ns_;
  out.hosts = count_live(now_ns);
  auto& heard = heard_[place_of(next_ns_, heard_.size())];
  out.present = std::exchange(heard, 0);
  const bool is_enough =
      static_cast<double>(out.present) >= kFewest * static_cast<double>(out.hosts);
  present_.clear();
  if (is_enough && out.hosts >= 2) {
    for (const auto& member : members_) {
      if (member->host->standing(now_ns) == Standing::kCompared) gather(*member);
    }
  }
  if (present_.size() >= 2) {
    of_group_.clear();
    for (std::size_t first = 0; first < columns_.size(); first += Tile::kColumns) {
      fill_tile(first);
      judge_tile();
    }
    for (auto* member : present_) conclude(*member, out);
    conclude_group(out);
    out.is_certain = !is_late;
  }
  next_ns_ += kSecond_ns;
  return out;
}

void Group::gather(Member& member) {
  auto meaning = member.host->meaning();
  if (meaning != member.meaning) prepare(member, std::move(meaning));
  std::size_t count = 0;
  for (std::size_t i = 0; i < kWindowSeconds; ++i) {
    const auto* second = member.host->second(next_ns_ - static_cast<std::int64_t>(i) * kSecond_ns);
    const bool fits = second != nullptr && second->dictionary == member.meaning->number &&
                      second->codes.size() == member.meaning->quantities.size();
    member.seconds[i] = fits ? second : nullptr;
    if (fits) ++count;
  }
  member.unusual = 0;
  member.judged = 0;
  member.found.clear();
  member.farthest = {};
  if (count < kFewestSeconds) return;
  // Of a host that was away, the alarms of before are over.
  if (std::exchange(member.seen_ns, next_ns_) != next_ns_ - kSecond_ns) {
    std::ranges::fill(member.beyond, std::uint8_t{0});
    member.own_verdict = 0;
    member.onset_ns = -1;
  }
  present_.push_back(&member);
}

void Group::prepare(Member& member, std::shared_ptr<const Meaning> meaning) {
  member.places = &places_of(meaning);
  member.past = OwnPast(meaning->quantities.size(), kOffsetBlocks, kSpreadBlocks);
  member.beyond.assign(meaning->quantities.size(), 0);
  member.onset_ns = -1;
  member.meaning = std::move(meaning);
}

const Group::Places& Group::places_of(const std::shared_ptr<const Meaning>& meaning) {
  const auto known = places_.find(meaning);
  if (known != places_.end()) return known->second;
  if (places_.size() >= kMaxPlaces) {
    std::erase_if(places_, [&](const auto& one) {
      return std::ranges::none_of(members_,
                                  [&](const auto& member) { return member->meaning == one.first; });
    });
  }
  Places places(columns_.size(), -1);
  for (std::size_t i = 0; i < meaning->quantities.size(); ++i) {
    const auto& from = meaning->quantities[i];
    const auto [found, is_new] = column_of_.try_emplace(from.quantity.key(), columns_.size());
    if (is_new && columns_.size() == kMaxColumns) {
      column_of_.erase(found);
      continue;
    }
    if (is_new) {
      columns_.push_back({from.quantity, from.least_rise});
      places.push_back(-1);
    }
    places[found->second] = static_cast<std::int32_t>(i);
  }
  past_.grow(columns_.size());
  above_past_.resize(columns_.size());
  return places_.emplace(meaning, std::move(places)).first->second;
}

void Group::fill_tile(std::size_t first) {
  tile_.first = first;
  tile_.columns = std::min(Tile::kColumns, columns_.size() - first);
  for (std::size_t i = 0; i < tile_.columns; ++i) tile_.parts[i].levels.resize(present_.size());
  for (std::size_t at = 0; at < present_.size(); ++at) {
    const auto& member = *present_[at];
    for (std::size_t i = 0; i < tile_.columns; ++i) {
      const auto column = first + i;
      const auto place = column < member.places->size() ? (*member.places)[column] : -1;
      auto& level = tile_.parts[i].levels[at];
      level = std::numeric_limits<float>::quiet_NaN();
      if (place < 0) continue;
      const auto at_place = static_cast<std::size_t>(place);
      level = mean_of(member.seconds, at_place, member.meaning->quantities[at_place].floor);
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
    finite_.clear();
    for (const float level : part.levels) {
      if (!std::isnan(level)) finite_.push_back(level);
    }
    if (finite_.size() < least) continue;
    part.peers.emplace(finite_);
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

void Group::judge_quantity(Member& member, std::size_t part, std::size_t at) {
  const auto& in = tile_.parts[part];
  auto& column = columns_[tile_.first + part];
  const auto place = static_cast<std::size_t>((*member.places)[tile_.first + part]);
  const float level = in.levels[at];
  const double peers = in.peers->without(level);
  const double distance = level - peers;
  auto& past = member.past;
  if (!past.is_known(place)) {
    past.add(place, static_cast<float>(distance), Lesson::kAll);
    return;
  }
  const double rise = distance - past.offset(place);
  const double usual_rise = std::max<double>(past.spread(place), in.resolution);
  const double limit = kLimit * pair_factor() * std::max(usual_rise, column.pooled);
  const bool is_unusual = std::abs(rise) > limit;
  ++member.judged;
  const Found found{tile_.first + part, level, peers, rise, limit};
  if (is_unusual) {
    ++member.unusual;
    if (member.farthest.limit == 0 ||
        std::abs(rise) / limit > std::abs(member.farthest.rise) / member.farthest.limit) {
      member.farthest = found;
    }
  }
  bool alarms = false;
  if (column.least_rise > 0) {
    auto& beyond = member.beyond[place];
    const bool is_beyond = rise > limit && rise >= column.least_rise;
    beyond = static_cast<std::uint8_t>(beyond << 1 | (is_beyond ? 1 : 0));
    alarms = is_alarm(beyond);
    if (alarms) {
      member.found.push_back(found);
      column.alarm_ns = next_ns_;
    }
  }
  // Its peers' distances move, too, by what is not theirs.
  const bool disturbed =
      present_.size() <= kFew && column.alarm_ns >= 0 && next_ns_ - column.alarm_ns <= kSecond_ns;
  past.add(place, static_cast<float>(distance),
           alarms || disturbed ? Lesson::kNone
           : is_unusual        ? Lesson::kSpread
                               : Lesson::kAll);
}

void Group::judge_group(std::size_t column, double median, double resolution) {
  const double least = columns_[column].least_rise;
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
  if (alarms) of_group_.push_back({column, median, usual, rise, limit});
  past_.add(column, level,
            alarms                   ? Lesson::kNone
            : std::abs(rise) > limit ? Lesson::kSpread
                                     : Lesson::kAll);
}

double Group::strength(const Found& found) const {
  return found.rise / std::max<double>(found.limit, columns_[found.column].least_rise);
}

std::vector<Evidence> Group::told(std::vector<Found> found) const {
  std::ranges::stable_sort(found, std::greater(), [&](const Found& one) { return strength(one); });
  if (found.size() > kMaxEvidence) found.resize(kMaxEvidence);
  std::vector<Evidence> out;
  for (const auto& one : found) {
    const auto& column = columns_[one.column];
    out.push_back(
        {column.quantity, one.observed, one.usual, one.rise, one.limit, column.least_rise});
  }
  return out;
}

std::int64_t Group::onset_of(const Member& member, const Found& found) const {
  const auto place = static_cast<std::size_t>((*member.places)[found.column]);
  const std::int64_t window_ns = next_ns_ - windows_since(member.beyond[place]) * kSecond_ns;
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
  const auto usual = shares_.quantile();
  const auto* now = member.seconds.front();
  const bool has_verdict =
      usual && share > *usual && now != nullptr && !now->is_learning && now->votes >= kFewestVotes;
  if (member.judged > 0) shares_.add(share);
  member.own_verdict = static_cast<std::uint8_t>(member.own_verdict << 1 | (has_verdict ? 1 : 0));
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

void Group::conclude_group(Judgment& out) {
  shares_.end_window();
  past_.end_window();
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
  if (++windows_ % kWindowsInBlock == 0) pool_spreads();
}

void Group::pool_spreads() {
  std::vector<double> spreads;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    spreads.clear();
    for (const auto* member : present_) {
      const auto place = column < member->places->size() ? (*member->places)[column] : -1;
      if (place < 0 || !member->past.is_known(static_cast<std::size_t>(place))) continue;
      spreads.push_back(member->past.spread(static_cast<std::size_t>(place)));
    }
    columns_[column].pooled = spreads.empty() ? 0 : stats::median(spreads);
  }
}

std::vector<UnlikeFact> Group::unlike_facts(const Host& host) const {
  // So many peers tell what is usual; all of a large group would take long.
  constexpr std::size_t kAsked = 64;
  std::vector<UnlikeFact> out;
  if (!host.facts()) return out;
  std::vector<const wire::Facts*> peers;
  for (const auto& member : members_) {
    if (member->host == &host || !member->host->facts() || peers.size() == kAsked) continue;
    peers.push_back(&*member->host->facts());
  }
  if (peers.size() + 1 < kFewestNamed) return out;
  const auto compare = [&](const std::string& subject, const std::string& own, auto value_of) {
    std::map<std::string_view, std::size_t> counts;
    for (const auto* peer : peers) {
      if (const std::string* value = value_of(*peer)) ++counts[*value];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    if (most == counts.end() || 2 * most->second <= peers.size() || most->first == own) return;
    out.push_back({subject, own, std::string(most->first)});
  };
  compare("kernel", host.facts()->kernel, [](const auto& peer) { return &peer.kernel; });
  compare("Reveal", host.facts()->reveal_version,
          [](const auto& peer) { return &peer.reveal_version; });
  for (const auto& fact : host.facts()->facts) {
    compare(fact.subject, fact.text, [&](const wire::Facts& peer) -> const std::string* {
      const auto found = std::ranges::find_if(peer.facts, [&](const wire::Fact& one) {
        return one.source == fact.source && one.subject == fact.subject;
      });
      return found == peer.facts.end() ? nullptr : &found->text;
    });
  }
  return out;
}

}  // namespace reveal::peers
