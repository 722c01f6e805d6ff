#include "cli/frame_options.h"

#include "cli/option_set.h"

namespace reveal::cli {

void FrameOptions::declare(OptionSet& set) {
  declare_time_and_channels(set);
  set.flag("--derived", derived,
           "signals in base units and derived metrics instead of raw samples");
}

void FrameOptions::declare_time_and_channels(OptionSet& set) {
  set.value("--from", from,
            "begin: a date, seconds since 1970, +90s from the start, -5m from the end")
      .placeholder("TIME");
  set.value("--to", to, "end, likewise").placeholder("TIME");
  set.value("--channels", channels,
            "shell pattern of metrics or channels, such as 'cpu_*' or '*{dev=sda}'; may be "
            "repeated")
      .placeholder("PATTERN");
}

}  // namespace reveal::cli
