// The answers of /api/v1/findings and /api/v1/findings/ID.
//
// A list begins with the newest. It comes in pages; each but the last has under `next` the address
// of the next. That address names a place in the order, not a number of findings, so that findings
// that come or go meanwhile neither hide nor repeat others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "http/target.h"
#include "serve/agent_state.h"

namespace reveal::serve {

inline constexpr std::size_t kMostFindings = 100;                          // on a page
inline constexpr std::size_t kMostFindingsBytes = std::size_t{256} << 10;  // likewise, if several

// A place in the order of findings.
struct FindingPlace {
  std::int64_t begin_wall_ns = 0;
  std::string id = {};

  friend auto operator<=>(const FindingPlace&, const FindingPlace&) = default;
};

// Which findings are asked for.
struct FindingQuery {
  std::optional<bool> open = {};              // only these
  std::optional<std::int64_t> since_ns = {};  // that had not ended before
  std::optional<FindingPlace> before = {};    // that come after this place in the list
};

// Reads `open` (true or false), `since` (a date or seconds since the epoch) and `before` (of a
// `next` address). Fails with kUsage, naming the parameter, for anything else.
base::Result<FindingQuery> parse_finding_query(std::span<const http::Parameter> parameters);

// Returns {"findings": [...], "next": "..."}; without a further page, `next` is null.
std::string findings_json(std::span<const Finding> findings, const FindingQuery& query);

// Returns one finding: its own JSON, and before that id, open and revision.
std::string finding_json(const Finding& finding);

}  // namespace reveal::serve
