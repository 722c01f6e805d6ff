// What a group knows, for seconds of another time, and for hosts that go and come back.
#include <algorithm>
#include <limits>
#include <utility>

#include "peers/group.h"

namespace reveal::peers {

std::vector<const Host*> Group::hosts() const {
  std::vector<const Host*> out;
  out.reserve(members_.size());
  for (const auto& member : members_) out.push_back(member->host);
  return out;
}

KnownHost Group::known_of(const Host& host) const {
  const auto found =
      std::ranges::find(members_, &host, [](const auto& member) { return member->host; });
  if (found == members_.end() || !(*found)->meaning) return {};
  const auto& member = **found;
  KnownHost out{.meaning = member.meaning, .offsets = {}, .spreads = {}};
  const auto quantities = member.past.quantities();
  out.offsets.assign(quantities, std::numeric_limits<float>::quiet_NaN());
  out.spreads.assign(quantities, 0);
  for (std::size_t i = 0; i < quantities; ++i) {
    if (!member.past.is_known(i)) continue;
    out.offsets[i] = member.past.offset(i);
    out.spreads[i] = member.past.spread(i);
  }
  return out;
}

std::optional<std::int64_t> Group::rose_until(std::string_view host,
                                              std::span<const Evidence> quantities) const {
  const auto found = std::ranges::lower_bound(
      members_, host, {}, [](const auto& one) -> std::string_view { return one->host->id(); });
  if (found == members_.end() || (*found)->host->id() != host) return std::nullopt;
  const auto& member = **found;
  if (member.seen_ns < 0 || member.seen_ns != last_.begin_ns) return std::nullopt;
  const bool is_known = are_known(quantities, [&](std::size_t column) {
    const auto place = place_in(*member.places, column);
    return place >= 0 && member.past.is_known(static_cast<std::size_t>(place));
  });
  return is_known ? std::optional(member.rose_ns) : std::nullopt;
}

std::optional<std::int64_t> Group::all_rose_until(std::span<const Evidence> quantities) const {
  if (seen_ns_ < 0 || seen_ns_ != last_.begin_ns) return std::nullopt;
  const bool is_known =
      are_known(quantities, [&](std::size_t column) { return past_.is_known(column); });
  return is_known ? std::optional(rose_ns_) : std::nullopt;
}

// Returns whether there are saturation signals among these, and all that there are have a column
// for which this holds.
bool Group::are_known(std::span<const Evidence> quantities,
                      const std::function<bool(std::size_t)>& is_known) const {
  bool any = false;
  for (const auto& one : quantities) {
    if (one.least_rise <= 0) continue;
    const auto column = columns_.find(one.quantity.key());
    if (!column || !is_known(*column)) return false;
    any = true;
  }
  return any;
}

Group Group::for_another_time(const std::vector<const Host*>& hosts) const {
  Group out(key_);
  out.columns_ = columns_.copy();
  out.usual_ = usual_;
  out.past_ = past_;
  out.above_past_.assign(above_past_.size(), 0);
  out.shares_ = shares_;
  out.windows_ = windows_;
  for (const auto* host : hosts) {
    out.add(*host);
    auto& fresh =
        **std::ranges::find(out.members_, host, [](const auto& member) { return member->host; });
    const auto known =
        std::ranges::find(members_, host->id(),
                          [](const auto& one) -> const std::string& { return one->host->id(); });
    if (known == members_.end()) continue;
    fresh.usual = (*known)->usual;
    if (!(*known)->meaning) continue;
    fresh.meaning = (*known)->meaning;
    fresh.places = out.columns_.places_of(fresh.meaning);
    fresh.past = (*known)->past;
    fresh.rises.resize((*known)->rises.size());
  }
  out.make_room();
  return out;
}

}  // namespace reveal::peers
