// Where results and complaints go.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report.h"
#include "select/selection_plan.h"

namespace reveal::cli {

// Prints "reveal: ..." on stderr and returns the exit status of the error.
int complain(const base::Error& error);

// The same for what went wrong before CMD (nothing, if empty) could start: returns the statuses
// that env(1) and timeout(1) use for that.
int complain_before_command(const base::Error& error, const std::vector<std::string>& command);

// Writes `text` as the whole content of `path`, all or nothing.
base::Result<void> write_file(const std::filesystem::path& path, const std::string& text);

enum class Format { kText, kJson };

// Prints the report on `stream` (colours only on a terminal, and not where NO_COLOR is set), then
// writes report.json and selection.json into `directory`.
base::Result<void> publish(const report::Report& report, const select::SelectionPlan& plan,
                           const std::filesystem::path& directory, Format format,
                           std::FILE* stream);

}  // namespace reveal::cli
