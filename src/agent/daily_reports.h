// The report of each day: what reveal report --since says of it, as REPORTS/2026/11/24.txt and
// .json. A day is the host's own, from midnight to midnight; its report is made some minutes later,
// when the last word on its findings has been said, or when the agent starts, if it is missing.
//
// It is made on a thread of its own, so that no verdict waits. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "agent/paths.h"
#include "base/result.h"

namespace reveal::agent {

inline constexpr std::size_t kMostReports = 400;  // days whose reports are kept
// After midnight; a finding's last word comes within a minute of its end.
inline constexpr std::int64_t kReportAfter_ns = 300'000'000'000;

// Returns the file of the report of the local day that has `wall_ns`, with that ending.
std::filesystem::path report_file(const Paths& paths, std::int64_t wall_ns, const char* ending);

// Checks a report's JSON by its checksum (checked_json.h), if it has one, and the text beside it,
// if that is there. Fails with kCorrupt, and as base::read_whole_file() does.
base::Result<void> check_report(const std::filesystem::path& file);

// Writes the report of the local day before that of `now_ns`, unless it is there or nothing is
// known of that day; removes the oldest. Returns whether it was written. Fails as look_back() and
// base::write_new_file() do.
base::Result<bool> write_report_of_yesterday(const Paths& paths, std::int64_t now_ns);

class DailyReports {
 public:
  DailyReports(Paths paths, bool wanted) : paths_(std::move(paths)), wanted_(wanted) {}
  DailyReports(const DailyReports&) = delete;
  DailyReports& operator=(const DailyReports&) = delete;
  ~DailyReports();  // waits for the report that is being made

  // Begins to make a report if one is due. Returns what could not be written, once; empty: nothing.
  // `now_ns` is wall time.
  std::string update(std::int64_t now_ns);

 private:
  void begin(std::int64_t now_ns);
  std::string end(std::int64_t now_ns);

  Paths paths_;
  bool wanted_;
  std::int64_t due_ns_ = 0;
  bool making_ = false;
  std::int64_t begun_ns_ = 0;                  // when the latest was begun
  std::mutex mutex_;                           // of the outcome
  std::optional<base::Result<bool>> outcome_;  // of the report that was being made
  std::thread thread_;
};

}  // namespace reveal::agent
