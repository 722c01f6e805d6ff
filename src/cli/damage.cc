#include "cli/damage.h"

#include <fmt/format.h>

#include "text/streams.h"

namespace reveal::cli {

void tell_damage(const store::SegmentReader& reader) {
  tell_damage(reader.damage());
}

void tell_damage(const std::vector<store::Damage>& damage) {
  constexpr std::size_t kMost = 5;
  for (std::size_t i = 0; i < damage.size() && i < kMost; ++i) {
    text::tell(fmt::format("{}: {} bytes from offset {} are unreadable: {}", damage[i].file,
                           damage[i].bytes, damage[i].offset, damage[i].what));
  }
  if (damage.size() > kMost) {
    text::tell(fmt::format("and {} more damaged places", damage.size() - kMost));
  }
}

}  // namespace reveal::cli
