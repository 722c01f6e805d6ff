// The jobs and pods that run on a host, as the facts about its control groups tell: "slurm job 4711
// step 0", "pod 8a1f... burstable" (procfs::describe()). One runs as long as one of its control
// groups is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/frame.h"

namespace reveal::fleet {

struct RunningJob {
  std::string name;           // "slurm/4711", "pbs/12.head", "pod/UID"
  std::int64_t since_ns = 0;  // wall time of the frame that told of it first

  bool operator==(const RunningJob&) const = default;
};

// What the names of pods begin with.
inline constexpr std::string_view kPodName = "pod/";

// Returns the name of the job or pod that a control group belongs to, by the text of its fact;
// empty if it is none.
std::string job_in(std::string_view text);

class JobTable {
 public:
  // Takes the next note of a recording. Notes that are not about control groups change nothing.
  void take(const model::Note& note, std::int64_t wall_ns);

  // Returns the jobs and pods that run, those that began first first.
  std::vector<RunningJob> jobs() const;

 private:
  struct Job {
    std::int64_t since_ns = 0;
    std::size_t groups = 0;  // control groups that are there
  };

  void end(const std::string& name);

  std::map<std::pair<std::string, std::string>, std::string> job_of_;  // by source and subject
  std::map<std::string, Job> jobs_;                                    // by name
};

}  // namespace reveal::fleet
