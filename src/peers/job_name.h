// Jobs as their groups are called: "job=slurm/4711", "job=pbs/12.head",
// "job=kubernetes/ml/trainer", "job=label/nightly"; behind the label "cluster" of their hosts, if
// they have it: "east/job=slurm/4711". Job numbers are one cluster's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace reveal::peers {

// Keys of groups that are jobs begin with it.
inline constexpr std::string_view kJobKey = "job=";
// The source of the facts that say since when a host has had a job; the subject is KIND/ID, the
// text the time in ns since the epoch.
inline constexpr std::string_view kJobSource = "job";

struct JobName {
  std::string cluster;  // empty: its hosts name none
  std::string kind;     // "slurm", "pbs", "kubernetes", "label"
  std::string id;       // "4711"

  bool operator==(const JobName&) const = default;
};

// Returns the job whose hosts the group is; nothing if it is none.
std::optional<JobName> job_of_group(std::string_view group);

// Returns what people call the group: "Slurm job 4711", "Kubernetes workload ml/trainer"; its key
// if it is no job.
std::string group_in_words(std::string_view group);

}  // namespace reveal::peers
