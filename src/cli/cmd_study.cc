#include <memory>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "study/command.h"

namespace reveal::cli {

Action declare_study(OptionSet& set) {
  struct Arguments {
    study::Order order;
    SettingOptions analysis;
  };
  auto options = std::make_shared<Arguments>();
  auto& order = options->order;
  set.value("NAME", order.name, study::help()).required().choices(study::names());
  set.value("DIR", order.directories,
            "directories of the recordings; for cv, variance and anova as for reveal select; for "
            "overhead a file")
      .required();
  set.value("--after", order.after, "a recording after a change (study impact)").placeholder("DIR");
  set.value("--channels", order.channels,
            "shell pattern of channels that are drawn (study hosts); may be repeated")
      .placeholder("PATTERN");
  set.flag("--json", order.json, "print JSON");
  set.value("-o,--output", order.output, "directory for NAME.json and NAME.html, too")
      .placeholder("DIR");
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = options->analysis.config().and_then(
        [&](const auto& config) { return study::execute(options->order, config); });
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
