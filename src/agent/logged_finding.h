// A finding as the agent keeps and tells it: under a name of its own, over restarts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/metric.h"

namespace reveal::agent {

struct LoggedFinding {
  std::string id;              // new_finding_id()
  std::uint64_t revision = 1;  // one more with each change that is told
  bool open = true;            // whether it goes on
  std::string host;
  std::int64_t begin_ns = 0;  // wall time, by samples if these tell
  std::int64_t end_ns = 0;
  std::int64_t windows_begin_ns =
      0;                            // wall time of its first window's begin, and of the last one's
  std::int64_t windows_end_ns = 0;  // end
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::string severity;                // the word of it (attribute/severity.h)
  std::string claim;                   // a sentence
  std::vector<std::string> sentences;  // who, who suffered, what it cost
  std::string pattern;                 // the name of the likeliest; empty: it looks like none
  std::string remedy;                  // that goes with it
  std::string verdict;  // the text of verdict.json (finding_verdict.h); empty: unknown, or as saved
  std::string fields;   // all of it, as a JSON object on one line (report/json.h)
};

// Returns it as a JSON object on one line: what the agent adds, then `fields`.
std::string to_json(const LoggedFinding& finding);

}  // namespace reveal::agent
