#include "peers/jobs.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace reveal::peers {
namespace {

constexpr std::int64_t kNewsEvery_ns = 60 * kSecond_ns;

bool counts(const HostJob& job, std::int64_t second_ns) {
  return job.since_ns <= second_ns - kFewestTime_ns;
}

// A host that begins to record anew knows less of when a job began than it said before.
void keep_earlier(std::vector<HostJob>& jobs, const std::vector<HostJob>& known) {
  for (auto& job : jobs) {
    const auto before = std::ranges::find(known, job.group, &HostJob::group);
    if (before != known.end()) job.since_ns = std::min(job.since_ns, before->since_ns);
  }
}

}  // namespace

void Jobs::want_by(std::int64_t time_ns) {
  due_ns_ = std::min(due_ns_, time_ns);
}

void Jobs::take(const std::string& host, std::vector<HostJob> jobs, std::int64_t at_ns) {
  auto& one = hosts_[host];
  if (!std::exchange(one.has_told, true)) {
    // Whoever begins later to read gets what was told last: it has been so for long, maybe.
    one.jobs = std::move(jobs);
    if (!one.jobs.empty()) want_by(kAlways);
    return;
  }
  const auto& known = one.coming.empty() ? one.jobs : one.coming.back().jobs;
  keep_earlier(jobs, known);
  if (jobs == known) return;
  // What is told is in its order, but for the broker's clock, which may be set back.
  const auto last_ns = one.coming.empty() ? at_ns : one.coming.back().from_ns - kSettle_ns;
  const auto from_ns = std::max(at_ns, last_ns) + kSettle_ns;
  one.coming.push_back({from_ns, std::move(jobs)});
  want_by(from_ns);
}

void Jobs::set_speaks(std::string_view host, bool speaks) {
  auto found = hosts_.find(host);
  if (found == hosts_.end()) found = hosts_.try_emplace(std::string(host)).first;
  if (std::exchange(found->second.speaks, speaks) == speaks || found->second.jobs.empty()) return;
  want_by(kAlways);
}

void Jobs::forget(std::string_view host) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return;
  hosts_.erase(found);
  want_by(kAlways);
}

void Jobs::put_in_force(std::int64_t second_ns) {
  for (auto& [id, one] : hosts_) {
    auto& coming = one.coming;
    while (!coming.empty() && coming.front().from_ns <= second_ns) {
      one.jobs = std::move(coming.front().jobs);
      coming.erase(coming.begin());
    }
    if (!coming.empty()) want_by(coming.front().from_ns);
  }
}

// Returns them with the largest first.
std::vector<Jobs::Candidate> Jobs::candidates(std::int64_t second_ns) {
  std::map<std::string_view, Candidate> by_key;
  for (auto& [id, one] : hosts_) {
    for (const auto& job : one.jobs) {
      if (!counts(job, second_ns)) {
        want_by(job.since_ns + kFewestTime_ns);
        continue;
      }
      auto& candidate = by_key[job.group];
      candidate.group = job.group;
      candidate.workers.push_back({&one, job.since_ns});
      candidate.first_ns = std::min(candidate.first_ns, job.since_ns);
      if (one.speaks) ++candidate.speaking;
    }
  }
  std::vector<Candidate> out;
  for (auto& [key, candidate] : by_key) {
    if (candidate.speaking >= kFewestJobHosts) out.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(out, [](const Candidate& a, const Candidate& b) {
    return std::tie(b.speaking, a.first_ns, a.group) < std::tie(a.speaking, b.first_ns, b.group);
  });
  return out;
}

void Jobs::follow(const Candidate& candidate, std::int64_t second_ns) {
  std::vector<Worker> free;
  std::ranges::copy_if(candidate.workers, std::back_inserter(free),
                       [](const Worker& one) { return one.host->next.group.empty(); });
  std::vector<std::int64_t> begins_ns;
  for (const auto& one : free) {
    if (one.host->speaks) begins_ns.push_back(one.since_ns);
  }
  if (begins_ns.size() < kFewestJobHosts) return;
  const auto first_that_completes = begins_ns.begin() + kFewestJobHosts - 1;
  std::ranges::nth_element(begins_ns, first_that_completes);
  for (const auto& one : free) {
    one.host->next = {std::string(candidate.group),
                      std::max(one.since_ns, *first_that_completes) + kFewestTime_ns};
  }
  auto& followed = followed_[std::string(candidate.group)];
  auto& job = followed.job;
  if (job.group.empty()) {
    job.group = candidate.group;
    job.first_ns = candidate.first_ns;
  }
  const bool is_larger = begins_ns.size() > job.hosts;
  if (is_larger) {
    job.hosts = begins_ns.size();
    followed.told_ns = kAlways;
  }
  job.first_ns = std::min(job.first_ns, candidate.first_ns);
  job.last_ns = second_ns;
  followed.goes_on = true;
}

void Jobs::note_news(std::int64_t second_ns) {
  for (auto it = followed_.begin(); it != followed_.end();) {
    auto& followed = it->second;
    const bool goes_on = std::exchange(followed.goes_on, false);
    // It ended in the second that is decided.
    if (!goes_on) followed.job.last_ns = second_ns;
    const bool is_due =
        followed.told_ns == kAlways || second_ns - followed.told_ns >= kNewsEvery_ns;
    if (!goes_on || is_due) {
      news_.push_back(followed.job);
      followed.told_ns = second_ns;
    }
    want_by(followed.told_ns + kNewsEvery_ns);
    it = goes_on ? std::next(it) : followed_.erase(it);
  }
}

std::vector<std::string> Jobs::settle(std::int64_t now_ns) {
  const auto second_ns = now_ns / kSecond_ns * kSecond_ns;
  if (second_ns <= settled_ns_ || second_ns < due_ns_) return {};
  settled_ns_ = second_ns;
  due_ns_ = kNever;
  put_in_force(second_ns);
  for (const auto& candidate : candidates(second_ns)) follow(candidate, second_ns);
  std::vector<std::string> out;
  for (auto& [id, one] : hosts_) {
    auto next = std::exchange(one.next, {});
    if (next.group == one.place.group) continue;
    // It was somewhere else until now, whenever this job began.
    const bool was_elsewhere = !one.place.group.empty() || next.group.empty();
    next.since_ns = was_elsewhere ? second_ns : std::max(next.since_ns, one.place.since_ns);
    one.place = std::move(next);
    out.push_back(id);
  }
  note_news(second_ns);
  return out;
}

const std::string& Jobs::group_of(std::string_view host) const {
  static const std::string kNone;
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? kNone : found->second.place.group;
}

std::int64_t Jobs::since_ns(std::string_view host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? kAlways : found->second.place.since_ns;
}

std::vector<FollowedJob> Jobs::take_news() {
  return std::exchange(news_, {});
}

}  // namespace reveal::peers
