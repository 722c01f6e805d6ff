// Output of results and error messages.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report.h"
#include "select/selection_plan.h"
#include "text/time_text.h"

namespace reveal::cli {

// Prints "reveal: ..." on stderr and returns the exit status of the error.
int complain(const base::Error& error);

// The same for what went wrong before CMD could start: returns kNotStarted, whatever it was, unless
// `command` is empty.
int complain_before_command(const base::Error& error, const std::vector<std::string>& command);

// The same for a failure before CMD starts that may be of either kind: wrong usage is said as by
// complain_before_command(), and anything else as by run_without().
int fail_before_command(const base::Error& error, const std::vector<std::string>& command);

// Returns what was thrown as an error: nothing of Reveal throws but for want of memory.
base::Error error_of(const std::exception& thrown);

// Calls `work`, and reports what it throws (out of memory). While CMD runs, reveal goes on.
void survive(const std::function<void()>& work);

// Says what Reveal could not do, and that CMD runs without it; then this process becomes CMD. A job
// must never fail because Reveal does. Returns only if CMD cannot be executed, as
// complain_of_command() does; with an empty `command` as complain() does.
int run_without(const base::Error& error, const std::vector<std::string>& command);

// The same for a CMD that cannot be run: returns kNotFound or kNotExecutable.
int complain_of_command(const base::Error& error);

// Returns whether descriptor `fd` takes colors: a terminal, and NO_COLOR is not set.
bool colors_on(int fd);

// What --help says of --local, and the zone that it asks for.
inline constexpr const char* kLocalHelp = "show times of this host's time zone, not UTC";
constexpr text::Zone zone_of(bool local) {
  return local ? text::Zone::kLocal : text::Zone::kUtc;
}

// Writes the report for people to descriptor `fd`: colors only on a terminal, and not if NO_COLOR
// is set.
base::Result<void> print_text(const report::Report& report, int fd, text::Zone zone);

// Writes report.json and selection.json into `directory`; calls `print`, which prints the
// report; then calls `more`, which uses report.json, if it exists. Tries all of it before it
// fails.
base::Result<void> publish(const report::Report& report, const select::SelectionPlan& plan,
                           const std::filesystem::path& directory,
                           const std::function<base::Result<void>()>& print,
                           const std::function<base::Result<void>()>& more);

}  // namespace reveal::cli
