// The options that choose a part of a recording: --from, --to, --channels, --derived.
#pragma once

#include "replay/chosen_frames.h"

namespace reveal::cli {

class OptionSet;

struct FrameOptions : replay::FrameChoice {
  void declare(OptionSet& set);
  void declare_time_and_channels(OptionSet& set);  // without --derived
};

}  // namespace reveal::cli
