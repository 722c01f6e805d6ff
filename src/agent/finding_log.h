// The findings of this host over restarts of the agent: each has one name from its first window to
// its last word, whichever process judged it.
//
// A judge that starts again judges the last minutes of the recording once more, to know what is
// usual. What it finds there is what the files have already, if it overlaps that in time. What was
// judged before and was no finding then is none now, what had ended then does not open again, and
// a finding of which all was told then stays as it is: nobody is told of the past anew.
//
// A judge takes a finding back if it finds the same by what was usual of an earlier run
// (live::LiveJudge): that one has its name then.
//
// Not thread-safe. The caller brings the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/finding_file.h"
#include "agent/logged_finding.h"
#include "base/result.h"
#include "live/history.h"
#include "report/report.h"

namespace reveal::agent {

// What is shown of the past, and kept in memory.
inline constexpr std::int64_t kRecent_ns = 86'400'000'000'000;
inline constexpr std::size_t kMaxRecent = 1000;

struct FindingLogOptions {
  std::filesystem::path directory;
  // A finding is over once so much has been judged after its last window that no other can join it.
  std::int64_t over_ns = 8'000'000'000;
  // Up to when the judge before this one had judged, in wall time.
  std::int64_t judged_ns = 0;
};

class FindingLog {
 public:
  // Reads the files of the last day before `now_ns` (wall time).
  FindingLog(FindingLogOptions options, std::int64_t now_ns);

  // Takes what the judge has found so far, and writes the files of what began, became graver, ended
  // or is told for the last time. Returns the names of the findings that changed in any way.
  std::vector<std::string> update(const live::History& history);

  // Returns from when on a judge must judge once more to tell all that is to be told: from up to
  // when the judge before had judged, or from the begin of a finding of which it had more to say.
  // Findings that began before `oldest_ns` are lost to this judge. To be asked before update().
  std::int64_t untold_since_ns(std::int64_t oldest_ns) const;

  // Returns from when on to judge what came since `since_ns` so that each finding is seen whole:
  // that time, or `margin_ns` (at least 0) before the begin of a finding that goes on then.
  // Findings that began before `oldest_ns` are cut. To be asked before update().
  std::int64_t uncut_since_ns(std::int64_t since_ns, std::int64_t margin_ns,
                              std::int64_t oldest_ns) const;

  // Returns the findings of the last day, in the order in which they became known.
  const std::vector<LoggedFinding>& recent() const { return recent_; }
  // Returns how many findings are over for good, of each subsystem and last severity. It counts
  // from the begin of this log and only ever grows.
  using Totals = std::map<std::pair<model::Subsystem, std::string>, std::uint64_t>;
  const Totals& totals() const { return totals_; }
  // Returns the names of the findings of which nothing more will be said, since the last call.
  std::vector<std::string> take_final() { return std::exchange(final_, {}); }
  // Returns one of the recent, or nullptr.
  const LoggedFinding* find(const std::string& id) const;
  // Returns what could not be read or written since the last call, a message each.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }

 private:
  // What is known of a finding of this judge.
  struct Known {
    std::string id;  // empty: it was over before, and nobody was told
    std::uint64_t saved_revision = 0;
    std::string saved_severity;
    bool saved_open = false;
    bool is_from_file = false;
    bool was_over = false;  // before this judge began
    bool was_told = false;  // all of it, before this judge began
    bool is_final = false;  // no more is said of it
  };

  // Returns its place among the recent; their number if it is not there.
  std::size_t place_of(const std::string& id) const;
  void find_name(const attribute::Finding& finding, Known& known);
  bool take(const live::History& history, const report::Report& report,
            const attribute::Finding& finding, Known& known);
  // Returns whether the judge before this one had told all of a finding that its file has.
  bool is_told(const LoggedFinding& saved) const;
  bool is_over(std::int64_t end_ns) const { return judged_to_ns_ > end_ns + options_.over_ns; }
  // Returns whether the judge before this one had judged all that this one has.
  bool is_in_the_past() const { return judged_to_ns_ <= options_.judged_ns; }
  void save_if_due(const LoggedFinding& finding, Known& known);
  void count(const LoggedFinding& finding) { ++totals_[{finding.subsystem, finding.severity}]; }
  void unclaim_taken_back(const live::History& history);
  std::vector<std::string> close_lost();
  void forget_old();

  FindingLogOptions options_;
  std::vector<LoggedFinding> recent_;
  std::set<std::string> unclaimed_;      // names from files that this judge has not found again
  std::map<std::int64_t, Known> known_;  // by the begin of the first window
  std::optional<std::uint64_t> latest_;  // the window that the judge took last
  std::int64_t judged_to_ns_ = 0;
  Totals totals_;
  std::vector<std::string> final_;
  std::vector<std::string> troubles_;
};

}  // namespace reveal::agent
