// What was found in the parts of a long run, joined into one report.
//
// A run whose features need more memory than it may have is judged in parts that overlap, each like
// a run of its own. A window belongs to the part in which it lies farther from an end. What goes on
// across the border of two parts is told by the one that saw it whole; if none did, by both.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attribute/finding.h"
#include "report/report.h"
#include "window/window_view.h"
#include "work/job_rate.h"

namespace reveal::pipeline {

// The windows of a part for which it alone speaks, [begin, end). A window's id is its place in the
// run.
struct OwnWindows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool has(const window::WindowSpan& span) const {
    return span.id.value() >= begin && span.id.value() < end;
  }
};

class JudgedParts {
 public:
  // Adds a part. Of the report all that detection and attribution fill in is used, its windows and
  // its jobs. REQUIRES: parts come in the order of time; `own` begins where the part before ended.
  void add(report::Report part, const OwnWindows& own);

  // Puts all that was added into the report of the run; then there are no parts any more.
  void move_to(report::Report& run);

 private:
  void add_detectors(const report::Report& part, const std::vector<std::size_t>& rows);
  void add_chance(const report::Report& part, std::size_t own_rows);

  report::Report whole_;
  std::size_t parts_ = 0;
  std::vector<std::vector<double>> alarm_limits_;          // by detector and part
  std::vector<std::vector<double>> contamination_limits_;  // likewise
};

// Adds those findings of a part that are its own, or that go on from the part before, to those of
// the parts before it. Both are in the order of time.
void add_findings(std::vector<attribute::Finding> part, const OwnWindows& own,
                  std::vector<attribute::Finding>& run);

// Adds the blocks of the part's jobs that begin in [begin_ns, end_ns) to the rates of the same
// jobs.
void add_jobs(const std::vector<work::JobRate>& part, std::int64_t begin_ns, std::int64_t end_ns,
              std::vector<work::JobRate>& run);

}  // namespace reveal::pipeline
