#include "access/verified.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace reveal::access {

std::optional<Who> Verified::find(const std::string& sealed) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& one) { return one.sealed == sealed; });
  if (found == entries_.end()) return {};
  std::rotate(entries_.begin(), found, std::next(found));
  return entries_.front().who;
}

void Verified::add(const std::string& sealed, Who who) {
  if (sealed.empty() || find(sealed)) return;
  if (entries_.size() == most_) entries_.pop_back();
  entries_.insert(entries_.begin(), Entry{sealed, std::move(who)});
}

}  // namespace reveal::access
