// The options that choose a part of a recording: --from, --to, --channels, --derived.
#pragma once

#include "replay/chosen_frames.h"

namespace CLI {
class App;
}

namespace reveal::cli {

struct FrameOptions : replay::FrameChoice {
  void declare(CLI::App& app);
  void declare_time_and_channels(CLI::App& app);  // without --derived
};

}  // namespace reveal::cli
