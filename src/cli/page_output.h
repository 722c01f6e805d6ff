// report.html: the report and the envelope of every channel, as one file for a
// browser.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace reveal::cli {

class OptionSet;

// Where a host's part of a page is from.
struct PageSource {
  std::filesystem::path report;     // its report.json
  std::filesystem::path recording;  // may be gone: then the page has the report alone
};

// Whether it is said on the standard error which bytes of recordings are unreadable.
enum class TellDamage { kNo, kYes };

// Fails with kAbsent if this program was built without the page.
base::Result<void> check_page();

// Writes the page of these hosts, in their order; whole or not at all. Reads each recording once.
// Fails if there is no report to read, and if the page cannot be written.
base::Result<void> render_page(const std::vector<PageSource>& sources,
                               const std::filesystem::path& output, TellDamage tell_damage);

// --html, --no-html
struct PageOptions {
  std::string html;
  bool no_html = false;

  void declare(OptionSet& set);
  // Fails if a page is asked for that cannot be made.
  base::Result<void> check() const;
  // Writes the page of the report in `report_directory`, unless it is not wanted; says so if the
  // program was built without. REQUIRES: the damage of the recording has been told; check() passed.
  base::Result<void> write(const std::filesystem::path& report_directory,
                           const std::filesystem::path& recording) const;
};

}  // namespace reveal::cli
