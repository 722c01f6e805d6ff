#include "fleet/recognition.h"

#include <algorithm>

namespace reveal::fleet {
namespace {

using attribute::Change;
using attribute::Pattern;
using attribute::Sign;

bool shows(const Difference& difference, const Sign& sign, double window_s) {
  if (difference.quantity.metric != sign.metric) return false;
  // Signs count events by window; a total counts all of them.
  const bool by_second = difference.quantity.kind == model::Kind::kEvent && !difference.is_total;
  const double scale = by_second ? window_s : 1.0;
  const double observed = scale * difference.observed;
  const double peers = scale * difference.peers;
  if (sign.change == Change::kRises) {
    return observed - peers >= sign.least && observed >= sign.times * peers;
  }
  return peers - observed >= sign.least && sign.times * observed <= peers;
}

const Difference* shown(std::span<const Difference> differences, const Sign& sign,
                        double window_s) {
  const auto it = std::find_if(differences.begin(), differences.end(),
                               [&](const auto& one) { return shows(one, sign, window_s); });
  return it == differences.end() ? nullptr : &*it;
}

bool any_shown(std::span<const Difference> differences, std::span<const Sign> signs,
               double window_s) {
  return std::any_of(signs.begin(), signs.end(), [&](const Sign& sign) {
    return !sign.metric.empty() && shown(differences, sign, window_s) != nullptr;
  });
}

bool is_argued_against(std::span<const Difference> differences, const Pattern& pattern,
                       double window_s) {
  return any_shown(differences, pattern.against, window_s) ||
         any_shown(differences, pattern.unmoved, window_s);
}

}  // namespace

std::vector<RecognizedPattern> recognize(std::span<const Difference> differences, double window_s) {
  std::vector<RecognizedPattern> out;
  for (const auto& pattern : attribute::patterns()) {
    RecognizedPattern one{&pattern, {}};
    const bool all = std::all_of(pattern.needs.begin(), pattern.needs.end(), [&](const Sign& sign) {
      if (sign.metric.empty()) return true;
      const auto* difference = shown(differences, sign, window_s);
      if (difference != nullptr) one.channels.push_back(difference->quantity.channel());
      return difference != nullptr;
    });
    if (all && !is_argued_against(differences, pattern, window_s)) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace reveal::fleet
