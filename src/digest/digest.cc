#include "digest/digest.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "text/local_day.h"

namespace reveal::digest {
namespace {

// So many are needed to say at which hour they come, and so far apart they may be.
constexpr std::size_t kLeastForHour = 3;
constexpr int kHours = 24;
// Shorter ones are the seconds between two processes, and no news.
constexpr std::int64_t kShortestBlind_ns = 10'000'000'000;
constexpr const char* kAway = "the agent did not run";
constexpr const char* kLearning = "what is usual was being learned";

int rank_of(std::string_view severity) {
  constexpr std::array<std::string_view, 4> kWords{"minor", "unknown", "moderate", "major"};
  const auto found = std::find(kWords.begin(), kWords.end(), severity);
  return static_cast<int>(found - kWords.begin()) % static_cast<int>(kWords.size());
}

// Returns how much of it lies in the stretch.
template <typename Stretch>
std::int64_t part_in(const Stretch& one, std::int64_t from_ns, std::int64_t to_ns) {
  return std::max<std::int64_t>(std::min(one.end_ns, to_ns) - std::max(one.begin_ns, from_ns), 0);
}

// An open finding goes on until somebody knows better.
bool is_in(const Finding& finding, std::int64_t from_ns, std::int64_t to_ns) {
  return finding.begin_ns < to_ns && (finding.open || finding.end_ns >= from_ns);
}

std::vector<Finding> findings_in(const std::vector<Finding>& all, std::int64_t from_ns,
                                 std::int64_t to_ns) {
  std::vector<Finding> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const auto& one) { return is_in(one, from_ns, to_ns); });
  return out;
}

// What is still open at the end has lasted until then, whenever its file was written.
std::vector<Incident> incidents_of(const std::vector<Finding>& findings, std::int64_t to_ns) {
  std::vector<Incident> out;
  for (const auto& one : findings) {
    const auto end_ns = one.open ? std::max(one.end_ns, to_ns) : one.end_ns;
    if (out.empty() || one.begin_ns > out.back().end_ns + kJoin_ns) {
      out.push_back({.begin_ns = one.begin_ns, .end_ns = end_ns, .severity = one.severity});
    }
    auto& incident = out.back();
    incident.end_ns = std::max(incident.end_ns, end_ns);
    if (rank_of(one.severity) > rank_of(incident.severity)) incident.severity = one.severity;
    incident.findings.push_back(one);
  }
  return out;
}

// Returns the first of two hours in which all of them begin, if there are such.
std::optional<int> hour_of(const std::vector<Finding>& findings) {
  if (findings.size() < kLeastForHour) return std::nullopt;
  std::set<int> hours;
  for (const auto& one : findings) hours.insert(text::local_hour(one.begin_ns));
  for (const int hour : hours) {
    const bool all = std::all_of(hours.begin(), hours.end(), [&](int other) {
      return other == hour || other == (hour + 1) % kHours;
    });
    if (all) return hour;
  }
  return std::nullopt;
}

std::vector<Recurrence> recurring(const Input& input) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Finding>> groups;
  for (const auto& one : findings_in(input.findings, input.to_ns - kRecurs_ns, input.to_ns)) {
    // Who did nothing that is known, and looks like nothing, is nobody that comes again.
    if (one.culprit.empty() && one.pattern.empty()) continue;
    groups[{one.subsystem, one.culprit, one.pattern}].push_back(one);
  }
  std::vector<Recurrence> out;
  for (const auto& [key, findings] : groups) {
    if (findings.size() < 2 || !is_in(findings.back(), input.from_ns, input.to_ns)) continue;
    const auto& [subsystem, culprit, pattern] = key;
    out.push_back({.subsystem = subsystem,
                   .culprit = culprit,
                   .pattern = pattern,
                   .count = findings.size(),
                   .hour = hour_of(findings),
                   .first_ns = findings.front().begin_ns});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return out;
}

void add_blind(Blind one, Digest& out) {
  if (one.end_ns - one.begin_ns < kShortestBlind_ns) return;
  auto& all = out.blind;
  if (!all.empty() && all.back().end_ns == one.begin_ns && all.back().why == one.why) {
    all.back().end_ns = one.end_ns;
  } else {
    all.push_back(std::move(one));
  }
}

std::string why_degraded(const Watched& one) {
  return one.reason.empty() ? "the agent was degraded" : one.reason;
}

void count_watched(const Input& input, Digest& out) {
  auto until_ns = input.from_ns;  // accounted for so far
  for (const auto& one : input.watched) {
    const auto part_ns = part_in(one, until_ns, input.to_ns);
    if (part_ns == 0) continue;
    const auto begin_ns = std::max(one.begin_ns, until_ns);
    const auto end_ns = begin_ns + part_ns;
    add_blind({until_ns, begin_ns, kAway}, out);
    if (one.state == "judging") {
      out.judged_ns += part_ns;
    } else {
      const bool learns = one.state == "learning";
      (learns ? out.learning_ns : out.degraded_ns) += part_ns;
      add_blind({begin_ns, end_ns, learns ? kLearning : why_degraded(one)}, out);
    }
    out.cpu_s +=
        one.cpu_s * static_cast<double>(part_ns) / static_cast<double>(one.end_ns - one.begin_ns);
    out.resident_bytes = std::max(out.resident_bytes.value_or(0), one.resident_bytes);
    until_ns = end_ns;
  }
  add_blind({until_ns, input.to_ns, kAway}, out);
  out.unwatched_ns =
      input.to_ns - input.from_ns - out.judged_ns - out.learning_ns - out.degraded_ns;
}

// No finding in a time of which nothing is kept does not mean that there was none.
void count_before(const Input& input, Digest& out) {
  const auto before_ns = begin_before(input.from_ns, input.to_ns);
  if (!input.watched_since_ns || *input.watched_since_ns > before_ns) return;
  out.findings_before = findings_in(input.findings, before_ns, input.from_ns).size();
  std::int64_t judged_ns = 0;
  for (const auto& one : input.watched) {
    if (one.state == "judging") judged_ns += part_in(one, before_ns, input.from_ns);
  }
  out.judged_before_ns = judged_ns;
}

void count_work(const std::vector<Finding>& findings, Digest& out) {
  for (const auto& one : findings) {
    if (one.lost_s) {
      out.lost_s = out.lost_s.value_or(0) + std::max(*one.lost_s, 0.0);
    } else {
      ++out.lost_unknown;
    }
  }
}

}  // namespace

std::int64_t findings_since(std::int64_t from_ns, std::int64_t to_ns) {
  return std::min(to_ns - kRecurs_ns, begin_before(from_ns, to_ns));
}

Digest digest_of(const Input& input) {
  Digest out;
  out.host = input.host;
  out.from_ns = input.from_ns;
  out.to_ns = input.to_ns;
  out.missing_sources = input.missing_sources;
  out.unreadable = input.unreadable;
  count_watched(input, out);
  const auto findings = findings_in(input.findings, input.from_ns, input.to_ns);
  out.findings = findings.size();
  out.incidents = incidents_of(findings, input.to_ns);
  count_work(findings, out);
  out.recurring = recurring(input);
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(out.open),
               [](const auto& one) { return one.open; });
  count_before(input, out);
  return out;
}

}  // namespace reveal::digest
