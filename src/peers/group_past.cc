// What a group knows, for seconds of another time.
#include <algorithm>
#include <utility>

#include "peers/group.h"

namespace reveal::peers {

std::vector<const Host*> Group::hosts() const {
  std::vector<const Host*> out;
  out.reserve(members_.size());
  for (const auto& member : members_) out.push_back(member->host);
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
    fresh.beyond.assign((*known)->beyond.size(), 0);
  }
  out.make_room();
  return out;
}

}  // namespace reveal::peers
