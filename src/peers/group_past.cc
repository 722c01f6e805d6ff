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
