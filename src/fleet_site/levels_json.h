// The answers of /api/v1/quantities and /api/v1/levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/target.h"
#include "peers/group.h"

namespace reveal::fleet_site {

// Codes in one answer: of 3,333 hosts all five minutes, of 10,000 the last 100 s.
inline constexpr std::size_t kMostCodes = 1'000'000;

struct LevelQuery {
  std::string group = {};
  std::string quantity = {};  // its key
  std::size_t seconds = peers::KeptLevels::kSeconds;
  std::int64_t after_ns = -1;  // only seconds that begin later
};

// Reads `group`, `quantity`, `seconds` and `after`. Fails with kUsage, naming the parameter, for
// anything else, and if one of the first two is missing.
base::Result<LevelQuery> parse_level_query(std::span<const http::Parameter> parameters);

// What an analyser has of such a query.
struct KeptQuantity {
  peers::QuantityView quantity = {};
  peers::LevelTable table = {};
};

std::string quantities_json(std::string_view group,
                            std::span<const peers::QuantityView> quantities);

// Returns the codes as base64, and the median of each second; null if no host had a level then.
std::string levels_json(const LevelQuery& query, const KeptQuantity& kept);

// Returns the median level of a second; NaN if there is none.
double median_level(std::span<const peers::KeptCode> codes);

}  // namespace reveal::fleet_site
