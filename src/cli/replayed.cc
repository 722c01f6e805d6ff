#include "cli/replayed.h"

#include <utility>

#include <fmt/format.h>

#include "replay/damage.h"
#include "replay/replayed.h"
#include "text/streams.h"
#include "text/words.h"

namespace reveal::cli {

void tell_damage(const std::vector<store::Damage>& damage) {
  for (const auto& line : replay::damage_lines(damage)) text::tell(line);
}

base::Result<std::unique_ptr<pipeline::Pipeline>> replayed(const std::string& directory,
                                                           pipeline::PipelineConfig config,
                                                           const exchange::Part& part) {
  auto out = replay::replay(directory, std::move(config), part);
  if (!out) return base::pass(out);
  tell_damage(out->damage);
  if (out->lost_at_end > 0) {
    text::tell(fmt::format("{}: {} at its end were not stored: there was no room for them",
                           directory, text::plural(out->lost_at_end, "frame")));
  }
  return std::move(out->pipeline);
}

}  // namespace reveal::cli
