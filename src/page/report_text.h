// The parts of a report.json that the page needs, and its text as the page carries it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "page/raw_spans.h"

namespace reveal::page {

struct ReportText {
  std::string host;
  std::int64_t begin_ns = 0;
  std::int64_t interval_ns = 0;
  std::string compact;                // the same JSON, safe inside a script element
  std::vector<ChannelSpan> evidence;  // spans around the findings, strongest first, joined
};

// Reads the text of a report.json. Fails as report::parse_report() does, naming `where`.
base::Result<ReportText> read_report(std::string_view json, std::string_view where);

// Returns JSON in which nothing can end a script element: `<` as \u003c, U+2028 and U+2029
// likewise. Characters that turn the direction of writing are U+FFFD, lest a name reads as another.
std::string script_safe(std::string_view json);

}  // namespace reveal::page
