#include "peers/group.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "peers/unlike_facts.h"

namespace reveal::peers {
namespace {

// Hosts are counted so often.
constexpr std::int64_t kCountEvery_ns = kSecond_ns / 4;
// Of windows, how many have no more of a host beyond its limits.
constexpr double kOfCompany = 0.99;
constexpr double kOfVerdict = 0.999;
// More seconds than are kept cannot be judged any more.
constexpr std::int64_t kLongestDelay_ns =
    (static_cast<std::int64_t>(kKeptSeconds) - 3) * kSecond_ns;
// So many peers tell which facts are usual; all of a large group would take long.
constexpr std::size_t kAskedForFacts = 64;

std::size_t place_of(std::int64_t begin_ns, std::size_t places) {
  return static_cast<std::size_t>(begin_ns / kSecond_ns) % places;
}

}  // namespace

void Group::add(const Host& host, std::vector<Usual> usual, const KnownHost& known) {
  auto member = std::make_unique<Member>();
  member->host = &host;
  if (known.meaning) {
    prepare(*member, known.meaning);
    for (std::size_t i = 0; i < known.offsets.size(); ++i) {
      if (!std::isnan(known.offsets[i])) member->past.set(i, known.offsets[i], known.spreads[i]);
    }
  }
  member->usual = std::move(usual);
  if (member->meaning) take_usual(*member);
  if (kept_) member->slot = kept_->take_slot(newest_ns_);
  const auto place = std::ranges::lower_bound(
      members_, host.id(), {},
      [](const auto& one) -> const std::string& { return one->host->id(); });
  members_.insert(place, std::move(member));
  counted_ns_ = 0;
}

void Group::remove(const Host& host) {
  std::erase_if(members_, [&](const auto& member) {
    const bool leaves = member->host == &host;
    if (leaves && kept_) kept_->free_slot(member->slot, newest_ns_);
    return leaves;
  });
  std::erase(last_.slow, &host);
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
    company_share_ = shares_.quantile(kOfCompany);
    verdict_share_ = shares_.quantile(kOfVerdict);
    for (auto* member : present_) conclude(*member, out);
    if (present_.size() >= kFewestNamed) name_receiver(out);
    conclude_group(out);
    out.is_certain = !is_late;
  }
  last_ = {out.begin_ns, out.hosts, out.present, out.is_certain};
  for (const auto& one : out.slow) last_.slow.push_back(one.host);
  next_ns_ += kSecond_ns;
  return out;
}

void Group::gather(Member& member) {
  auto meaning = member.host->meaning();
  if (meaning != member.meaning) prepare(member, std::move(meaning));
  member.newest = nullptr;
  member.told = 0;
  for (std::size_t i = 0; i < kWindowSeconds; ++i) {
    const auto* second = member.host->second(next_ns_ - static_cast<std::int64_t>(i) * kSecond_ns);
    const bool fits = second != nullptr && second->dictionary == member.meaning->number &&
                      second->codes.size() == member.meaning->quantities.size();
    if (!fits) continue;
    if (i == 0) member.newest = second;
    member.codes[member.told++] = second->codes.data();
  }
  member.unusual = 0;
  member.judged = 0;
  member.far_rise = 0;
  member.far_limit = 1;
  member.found.clear();
  member.farthest = {};
  member.missing = {};
  if (member.told < kFewestSeconds) return;
  // Of a host that was away, the alarms of before are over.
  if (std::exchange(member.seen_ns, next_ns_) != next_ns_ - kSecond_ns) {
    std::ranges::fill(member.rises, RecentRise());
    member.missed = 0;
    member.own_verdict = 0;
    member.onset_ns = -1;
  }
  present_.push_back(&member);
}

// What is known of a quantity stays with it, wherever the new dictionary has it.
void Group::prepare(Member& member, std::shared_ptr<const Meaning> meaning) {
  auto places = columns_.places_of(meaning);
  must_choose_kept_ = true;
  make_room();
  std::vector<std::int32_t> from(meaning->quantities.size(), -1);
  if (member.places) {
    for (std::size_t i = 0; i < std::min(places->size(), member.places->size()); ++i) {
      if ((*places)[i] >= 0) from[static_cast<std::size_t>((*places)[i])] = (*member.places)[i];
    }
  }
  std::vector<RecentRise> rises(meaning->signals);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto& to = meaning->quantities[i];
    if (to.least_rise <= 0 || from[i] < 0) continue;
    const auto before = static_cast<std::size_t>(from[i]);
    if (member.meaning->quantities[before].least_rise > 0)
      rises[to.signal] = member.rise_of(before);
  }
  member.past = member.past.rearranged(from);
  member.rises = std::move(rises);
  member.places = std::move(places);
  member.meaning = std::move(meaning);
  take_usual(member);
}

void Group::take_usual(Member& member) {
  for (const auto& usual : std::exchange(member.usual, {})) {
    const auto column = columns_.find(usual.quantity);
    if (!column || *column >= member.places->size() || (*member.places)[*column] < 0) continue;
    member.past.set(static_cast<std::size_t>((*member.places)[*column]), usual.offset,
                    usual.spread);
  }
}

void Group::make_room() {
  past_.grow(columns_.size());
  above_past_.resize(columns_.size());
  std::erase_if(usual_, [&](const Usual& usual) {
    const auto column = columns_.find(usual.quantity);
    if (column) past_.set(*column, usual.offset, usual.spread);
    return column.has_value();
  });
}

void Group::remove_columns() {
  const auto kept = columns_.compact();
  if (!kept) return;
  past_ = past_.rearranged(*kept);
  std::vector<std::uint8_t> above;
  for (const auto column : *kept) above.push_back(above_past_[static_cast<std::size_t>(column)]);
  above_past_ = std::move(above);
}

std::vector<UnlikeFact> Group::unlike_facts_of(const Host& host) const {
  std::vector<const wire::Facts*> peers;
  for (const auto& member : members_) {
    if (member->host == &host || !member->host->facts()) continue;
    if (peers.size() < kAskedForFacts) peers.push_back(&*member->host->facts());
  }
  if (!host.facts() || peers.size() + 1 < kFewestNamed) return {};
  return unlike_facts(*host.facts(), peers);
}

}  // namespace reveal::peers
