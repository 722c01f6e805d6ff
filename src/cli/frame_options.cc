#include "cli/frame_options.h"

#include <CLI/CLI.hpp>

namespace reveal::cli {

void FrameOptions::declare(CLI::App& app) {
  declare_time_and_channels(app);
  app.add_flag("--derived", derived,
               "signals in base units and derived metrics instead of raw samples");
}

void FrameOptions::declare_time_and_channels(CLI::App& app) {
  app.add_option("--from", from,
                 "first moment: a date, seconds since 1970, +90s from the start, -5m from the end");
  app.add_option("--to", to, "last moment, likewise");
  app.add_option("--channels", channels,
                 "shell pattern of metrics or channels, such as 'cpu_*' or '*{dev=sda}'; can be "
                 "given again")
      ->allow_extra_args(false);
}

}  // namespace reveal::cli
