// The paper's selection of channels (section 4.1), over several runs of several workloads: a
// workload is pruned on the mean correlation matrix of its runs (select/workload.h), and what is
// kept for any workload is kept. Before that, channels may be left out that are not stable or not
// discriminative (channel_choice.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "select/selection_plan.h"
#include "study/channel_choice.h"

namespace reveal::study {

struct SelectionOrder {
  std::vector<std::string> runs;  // as workloads_of() takes them
  double threshold = select::kDefaultThreshold;
  ChannelChoice choice;  // what else is asked of a channel
  std::string output;    // the file that the plan is written to
};

// Writes the plan, tells what of the recordings was damaged, and prints a table of the workloads.
// Fails as workloads_of() and read_run(), with kTooLittle if no channel varies or is
// chosen, as left_out(), and if the file cannot be written.
base::Result<void> write_selection(const SelectionOrder& order);

}  // namespace reveal::study
