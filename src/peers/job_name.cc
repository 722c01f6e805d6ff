#include "peers/job_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace reveal::peers {
namespace {

// A kind of job, and what people call one. Of other kinds it is "job".
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{{
    {"slurm", "Slurm job"},
    {"pbs", "PBS job"},
    {"kubernetes", "Kubernetes workload"},
}};

}  // namespace

std::optional<JobName> job_of_group(std::string_view group) {
  JobName out;
  const auto key = group.find(kJobKey);
  if (key == std::string_view::npos) return std::nullopt;
  if (key > 0) {
    // "role=x/job=y" is a role.
    if (group[key - 1] != '/' || group.substr(0, key).find('=') != std::string_view::npos) {
      return std::nullopt;
    }
    out.cluster = group.substr(0, key - 1);
  }
  group.remove_prefix(key + kJobKey.size());
  const auto slash = group.find('/');
  if (slash == 0 || slash == std::string_view::npos || slash + 1 == group.size()) {
    return std::nullopt;
  }
  out.kind = group.substr(0, slash);
  out.id = group.substr(slash + 1);
  return out;
}

std::string group_in_words(std::string_view group) {
  const auto job = job_of_group(group);
  if (!job) return std::string(group);
  const auto* word =
      std::ranges::find(kWords, job->kind, &std::pair<std::string_view, std::string_view>::first);
  auto out = std::string(word == kWords.end() ? "job" : word->second) + " " + job->id;
  if (!job->cluster.empty()) out += " of " + job->cluster;
  return out;
}

}  // namespace reveal::peers
