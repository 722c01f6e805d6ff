#include "peers/group_key.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "peers/job_name.h"
#include "text/bounded_number.h"

namespace reveal::peers {
namespace {

// Kinds of keys of hosts without a job, the better first.
constexpr std::array<std::string_view, 2> kKeys{"role=", "hw="};
constexpr std::string_view kCluster = "cluster";
constexpr std::int64_t kLatestTime_ns = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLongestAge_ns = std::int64_t{3'650} * 86'400'000'000'000;

std::string in_cluster(const wire::Facts& facts, const std::string& key) {
  const auto cluster =
      std::ranges::find(facts.labels, kCluster, [](const auto& label) { return label.first; });
  return cluster == facts.labels.end() ? key : cluster->second + "/" + key;
}

std::string plain_key(const wire::Facts& facts) {
  for (const auto kind : kKeys) {
    for (const auto& group : facts.groups) {
      if (group.starts_with(kind)) return group;
    }
  }
  const auto other = std::ranges::find_if(
      facts.groups, [](const std::string& group) { return !group.starts_with(kJobKey); });
  if (other != facts.groups.end()) return *other;
  return fmt::format("hw={} {} processors", facts.machine, facts.cpus_online);
}

// Returns for how long a host has had a job, by its own clock.
std::int64_t age_of(std::string_view job, const wire::Facts& facts) {
  const auto fact = std::ranges::find_if(facts.facts, [&](const wire::Fact& one) {
    return one.source == kJobSource && one.subject == job;
  });
  if (fact == facts.facts.end()) return 0;
  const auto since_ns =
      text::number_within<std::int64_t>(std::string_view(fact->text), 0, kLatestTime_ns);
  const auto told_ns = std::max<std::int64_t>(facts.head.time_ns, 0);
  // It may say anything.
  return since_ns ? std::clamp<std::int64_t>(told_ns - *since_ns, 0, kLongestAge_ns) : 0;
}

}  // namespace

std::string group_key(const wire::Facts& facts) {
  return in_cluster(facts, plain_key(facts));
}

std::vector<HostJob> jobs_in(const wire::Facts& facts, std::int64_t stored_ns) {
  std::vector<HostJob> out;
  for (const auto& group : facts.groups) {
    if (!group.starts_with(kJobKey) || !job_of_group(group)) continue;
    const auto age_ns = age_of(std::string_view(group).substr(kJobKey.size()), facts);
    out.push_back({in_cluster(facts, group), stored_ns - age_ns});
  }
  std::ranges::sort(out, {}, &HostJob::group);
  const auto is_same = [](const HostJob& a, const HostJob& b) { return a.group == b.group; };
  out.erase(std::unique(out.begin(), out.end(), is_same), out.end());
  return out;
}

}  // namespace reveal::peers
