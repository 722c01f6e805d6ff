#include "cli/replayed.h"

#include <utility>

#include "cli/chosen_frames.h"
#include "cli/copy_frames.h"
#include "cli/damage.h"

namespace reveal::cli {

base::Result<std::unique_ptr<pipeline::Pipeline>> replayed(const std::string& directory,
                                                           pipeline::PipelineConfig config,
                                                           const exchange::Part& part) {
  auto chosen = ChosenFrames::open(directory, part, false);
  if (!chosen) return base::pass(chosen);
  auto out = std::make_unique<pipeline::Pipeline>(std::move(config));
  if (auto done = copy_frames(chosen->frames(), *out); !done) return base::pass(done);
  tell_damage(chosen->reader());
  return out;
}

}  // namespace reveal::cli
