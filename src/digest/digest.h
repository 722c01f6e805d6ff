// What an agent saw in a stretch of time, joined and counted: for how long it watched, which
// findings belong together, which come again and again, what is still open, and what the agent
// cost. Plain values in, plain values out; nothing here knows a file or a clock.
//
// Times are wall time in ns since the epoch. What is not known is nothing, never 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reveal::digest {

// Findings that overlap, or between which at most this lies, are one incident.
inline constexpr std::int64_t kJoin_ns = 60'000'000'000;
// How far back from the end of the stretch what recurs is counted.
inline constexpr std::int64_t kRecurs_ns = std::int64_t{7} * 86'400 * 1'000'000'000;

struct Finding {
  std::string id = {};
  bool open = false;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;  // of an open one: so far
  std::string subsystem = {};
  std::string severity = {};  // "minor", "moderate", "major" or "unknown"
  std::string claim = {};
  std::string culprit = {};           // who did it; empty if nobody is known
  std::string pattern = {};           // that it looks like; empty: none
  std::optional<double> lost_s = {};  // seconds of usual work
};

// What the agent did for a while. Between two such stretches nobody watched.
struct Watched {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::string state = {};            // "judging", "learning" or "degraded"
  std::string reason = {};           // of the state; may be empty
  double cpu_s = 0;                  // that the agent used meanwhile
  std::uint64_t resident_bytes = 0;  // the most
};

struct Input {
  std::string host;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::vector<Finding> findings;  // by begin; since kRecurs_ns before to_ns or twice the stretch
  std::vector<Watched> watched;   // in the order of time, none overlaps another
  // From when on `watched` is kept: what lies before that is not known. Nothing: never.
  std::optional<std::int64_t> watched_since_ns;
  std::size_t unreadable = 0;  // findings whose files cannot be read
  // Sources that the host lacked or that the agent may not read; nothing if that is not known.
  std::optional<std::vector<std::string>> missing_sources;
};

struct Incident {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::string severity = {};           // of its gravest finding
  std::vector<Finding> findings = {};  // the first is the likely cause
};

// Findings with the same subsystem, culprit and pattern, one of them in the stretch.
struct Recurrence {
  std::string subsystem;
  std::string culprit;
  std::string pattern;
  std::size_t count = 0;      // in kRecurs_ns
  std::optional<int> hour;    // the local hour from which on, for two hours, all of them begin
  std::int64_t first_ns = 0;  // when the first began
};

// A stretch in which windows were not judged.
struct Blind {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::string why;  // a clause
};

struct Digest {
  std::string host;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::int64_t judged_ns = 0;
  std::int64_t learning_ns = 0;
  std::int64_t degraded_ns = 0;
  std::int64_t unwatched_ns = 0;    // the rest
  std::vector<Blind> blind;         // in the order of time
  std::vector<Incident> incidents;  // likewise
  std::size_t unreadable = 0;       // files of findings
  std::size_t findings = 0;         // that went on in the stretch
  // In as long before it; nothing if it is not known for all of that when somebody watched.
  std::optional<std::size_t> findings_before;
  std::optional<std::int64_t> judged_before_ns;  // likewise
  std::optional<double> lost_s;                  // by those of which it is known
  std::size_t lost_unknown = 0;                  // the others
  std::vector<Recurrence> recurring;             // the most frequent first
  std::vector<Finding> open;                     // at the end
  double cpu_s = 0;
  std::optional<std::uint64_t> resident_bytes;
  std::optional<std::vector<std::string>> missing_sources;
};

// REQUIRES: input.from_ns < input.to_ns.
Digest digest_of(const Input& input);

// Returns the begin of the stretch of the same length before this one, which it is compared with.
inline std::int64_t begin_before(std::int64_t from_ns, std::int64_t to_ns) {
  return from_ns - (to_ns - from_ns);
}

// Returns from when on findings are to be known for a stretch.
std::int64_t findings_since(std::int64_t from_ns, std::int64_t to_ns);

}  // namespace reveal::digest
