#include "replay/replayed.h"

#include <utility>

#include "replay/chosen_frames.h"
#include "replay/copy_frames.h"

namespace reveal::replay {

base::Result<ReplayResult> replay(const std::filesystem::path& directory,
                                  pipeline::PipelineConfig config, const exchange::Part& part) {
  auto chosen = ChosenFrames::open(directory, part, false);
  if (!chosen) return base::pass(chosen);
  ReplayResult out;
  out.pipeline = std::make_unique<pipeline::Pipeline>(std::move(config));
  if (auto done = copy_frames(chosen->frames(), *out.pipeline); !done) return base::pass(done);
  out.damage = chosen->reader().damage();
  out.lost_at_end = chosen->reader().lost_at_end();
  return out;
}

}  // namespace reveal::replay
