#include "fleet/job_table.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace reveal::fleet {
namespace {

// Behind the scheduler's name, before the job's.
constexpr std::string_view kJobWord = " job ";
constexpr std::string_view kPodWord = "pod ";

}  // namespace

std::string job_in(std::string_view text) {
  if (text.starts_with(kPodWord)) {
    const auto rest = text.substr(kPodWord.size());
    const auto uid = rest.substr(0, rest.find(' '));
    return uid.empty() ? std::string() : std::string(kPodName) + std::string(uid);
  }
  const auto word = text.find(kJobWord);
  // A scheduler's name is one word.
  if (word == 0 || word == std::string_view::npos || text.find(' ') != word) return {};
  const auto rest = text.substr(word + kJobWord.size());
  const auto id = rest.substr(0, rest.find(' '));
  if (id.empty()) return {};
  return std::string(text.substr(0, word)) + "/" + std::string(id);
}

void JobTable::take(const model::Note& note, std::int64_t wall_ns) {
  if (note.kind != model::Note::Kind::kFact || !note.source.starts_with("cgroup")) return;
  auto name = job_in(note.text);
  const auto known = job_of_.find({note.source, note.subject});
  if (known == job_of_.end() ? name.empty() : known->second == name) return;
  // The new one first: a job whose only control group is stated anew goes on.
  if (!name.empty()) {
    auto& job = jobs_.try_emplace(name, Job{.since_ns = wall_ns}).first->second;
    ++job.groups;
  }
  if (known == job_of_.end()) {
    job_of_.emplace(std::pair(note.source, note.subject), std::move(name));
    return;
  }
  const auto before = std::exchange(known->second, std::move(name));
  if (known->second.empty()) job_of_.erase(known);
  end(before);
}

void JobTable::end(const std::string& name) {
  const auto job = jobs_.find(name);
  if (job != jobs_.end() && --job->second.groups == 0) jobs_.erase(job);
}

std::vector<RunningJob> JobTable::jobs() const {
  std::vector<RunningJob> out;
  out.reserve(jobs_.size());
  for (const auto& [name, job] : jobs_) out.push_back({name, job.since_ns});
  std::ranges::stable_sort(out, [](const RunningJob& a, const RunningJob& b) {
    return std::tie(a.since_ns, a.name) < std::tie(b.since_ns, b.name);
  });
  return out;
}

}  // namespace reveal::fleet
