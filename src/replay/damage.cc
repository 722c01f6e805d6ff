#include "replay/damage.h"

#include <fmt/format.h>

namespace reveal::replay {

std::vector<std::string> damage_lines(const std::vector<store::Damage>& damage) {
  constexpr std::size_t kMaxPlaces = 5;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < damage.size() && i < kMaxPlaces; ++i) {
    out.push_back(fmt::format("{}: {} bytes from offset {} are unreadable: {}", damage[i].file,
                              damage[i].bytes, damage[i].offset, damage[i].what));
  }
  if (damage.size() > kMaxPlaces) {
    out.push_back(fmt::format("and {} more damaged places", damage.size() - kMaxPlaces));
  }
  return out;
}

}  // namespace reveal::replay
