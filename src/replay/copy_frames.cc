#include "replay/copy_frames.h"

namespace reveal::replay {

base::Result<void> copy_frames(model::FrameSource& source, model::FrameSink& sink) {
  if (auto begun = sink.begin(source.facts()); !begun) return begun;
  for (;;) {
    const auto frame = source.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return sink.finish();
    if (auto done = sink.write(source.channels(), **frame); !done) return done;
  }
}

}  // namespace reveal::replay
