// A demonstration: `reveal run` watches a job, another process disturbs it for a while, and at the
// end the report is held against what was done. What was done is told to nobody before that: the
// process that records and judges is the one that users run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "demo/disturbance.h"
#include "report/saved_report.h"

namespace reveal::demo {

struct Plan {
  const Disturbance* disturbance = nullptr;
  // The command line that watches the job, and the job's, to which the job's group is added if the
  // disturbance makes one.
  std::vector<std::string> run;
  std::filesystem::path directory;  // of the recording
  std::chrono::seconds before{40};  // from the start to the disturbance
  std::chrono::seconds length{8};   // of the disturbance
};

// What happened.
struct Done {
  int status = 0;  // of the command line, as a shell has it
  bool disturbed = false;
  std::int64_t begin_ns = 0;  // of the disturbance, wall time
  std::int64_t end_ns = 0;
};

// Runs the job under Reveal, and disturbs it; says on stderr what it does. Fails if the disturbance
// cannot be prepared here, or a process cannot be started. If the command line ends before the
// disturbance, there is none. REQUIRES: one thread.
base::Result<Done> run(const Plan& plan);

// Returns what a report says of a disturbance, in one or two lines: that it was found, how exactly,
// and who was named; or that it was not. `found` is set accordingly.
std::string held_against(const report::SavedReport& report, const Disturbance& disturbance,
                         const Done& done, bool& found);

}  // namespace reveal::demo
