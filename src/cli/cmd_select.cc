#include <memory>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "study/selection.h"
#include "study/workloads.h"

namespace reveal::cli {

Action declare_select(OptionSet& set) {
  auto order = std::make_shared<study::SelectionOrder>();
  set.value("DIR", order->runs, study::kRunsHelp).required();
  set.number("--correlation", order->threshold, 0, 1,
             "leave a channel out if its |r| with a kept one is above this")
      .placeholder("R");
  set.number(
         "--steady", order->choice.most_cv, 0, 1e9,
         "leave a channel out if the coefficient of variation of its runs' means, by the median "
         "over workloads, is above this")
      .placeholder("CV");
  set.number("--differs", order->choice.most_p, 0, 1,
             "leave a channel out unless an analysis of variance says that its runs' means differ "
             "between workloads, with p at most this")
      .placeholder("P");
  set.value("-o,--output", order->output, "file to write, for --select of other commands")
      .placeholder("FILE")
      .required();
  return [order](const Invocation&) {
    const auto done = study::write_selection(*order);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
