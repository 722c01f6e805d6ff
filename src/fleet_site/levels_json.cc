#include "fleet_site/levels_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "http/json_text.h"
#include "text/base64.h"
#include "text/parse_number.h"
#include "text/parse_time.h"
#include "text/time_text.h"

namespace reveal::fleet_site {
namespace {

using http::Json;
using http::one_line;
using http::Parameter;

base::Result<void> read_after(const Parameter& parameter, LevelQuery& out) {
  auto after_ns = text::parse_date(parameter.value);
  if (!after_ns) after_ns = text::parse_decimal_time(parameter.value, text::TimeUnit::kS);
  if (!after_ns || *after_ns < 0) {
    return base::fail(base::ErrorKind::kUsage, "'" + parameter.value + "' is not what it may be",
                      parameter.name, "write a date such as 2026-11-20T14:03:07Z, or seconds");
  }
  out.after_ns = *after_ns;
  return {};
}

base::Result<void> read_one(const Parameter& parameter, LevelQuery& out) {
  if (parameter.name == "group") {
    out.group = parameter.value;
  } else if (parameter.name == "quantity") {
    out.quantity = parameter.value;
  } else if (parameter.name == "seconds") {
    const auto seconds = text::parse_u64(parameter.value);
    if (!seconds || *seconds == 0 || *seconds > peers::KeptLevels::kSeconds) {
      return base::fail(base::ErrorKind::kUsage, "'" + parameter.value + "' is not what it may be",
                        parameter.name, "write a number from 1 to 300");
    }
    out.seconds = static_cast<std::size_t>(*seconds);
  } else if (parameter.name == "after") {
    return read_after(parameter, out);
  } else {
    return base::fail(base::ErrorKind::kUsage, "there is no such parameter", parameter.name,
                      "known: group, quantity, seconds, after");
  }
  return {};
}

std::string little_endian(std::span<const peers::KeptCode> codes) {
  std::string out;
  out.reserve(2 * codes.size());
  for (const auto code : codes) {
    out.push_back(static_cast<char>(code & 0xFF));
    out.push_back(static_cast<char>(code >> 8));
  }
  return out;
}

}  // namespace

base::Result<LevelQuery> parse_level_query(std::span<const Parameter> parameters) {
  LevelQuery out;
  for (const auto& parameter : parameters) {
    if (const auto read = read_one(parameter, out); !read) return base::pass(read);
  }
  if (out.group.empty()) {
    return base::fail(base::ErrorKind::kUsage, "is missing", "group",
                      "name one of /api/v1/fleet by its key");
  }
  if (out.quantity.empty()) {
    return base::fail(base::ErrorKind::kUsage, "is missing", "quantity",
                      "name one of /api/v1/quantities by its key");
  }
  return out;
}

std::string quantities_json(std::string_view group,
                            std::span<const peers::QuantityView> quantities) {
  Json all = Json::array();
  for (const auto& one : quantities) {
    all.push_back({{"key", one.key},
                   {"phrase", one.phrase},
                   {"unit", one.unit},
                   {"subsystem", model::to_string(one.subsystem)},
                   {"saturation", one.is_signal},
                   {"kept", one.is_kept}});
  }
  return one_line({{"group", group}, {"quantities", std::move(all)}}) + "\n";
}

// The order of codes, as numbers with a sign, is that of their levels.
double median_level(std::span<const peers::KeptCode> codes) {
  std::vector<std::int16_t> known;
  known.reserve(codes.size());
  for (const auto code : codes) {
    if (code != peers::kNoLevel) known.push_back(static_cast<std::int16_t>(code));
  }
  if (known.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::ranges::nth_element(known, middle);
  const double upper = peers::level_of(static_cast<peers::KeptCode>(*middle));
  if (known.size() % 2 == 1) return upper;
  const auto below = *std::max_element(known.begin(), middle);
  return (peers::level_of(static_cast<peers::KeptCode>(below)) + upper) / 2;
}

std::string levels_json(const LevelQuery& query, const KeptQuantity& kept) {
  const auto& table = kept.table;
  Json median = Json::array();
  for (std::size_t second = 0; second < table.seconds; ++second) {
    const auto level =
        median_level(std::span(table.codes).subspan(second * table.hosts, table.hosts));
    median.push_back(std::isfinite(level) ? Json(level) : Json());
  }
  Json out = {{"group", query.group},
              {"quantity", query.quantity},
              {"unit", kept.quantity.unit},
              {"phrase", kept.quantity.phrase}};
  if (table.seconds > 0) out["begin"] = text::iso_time(table.begin_ns);
  out["seconds"] = table.seconds;
  out["hosts"] = table.hosts;
  out["floor"] = 1;
  out["codes"] = text::base64(little_endian(table.codes));
  out["median"] = std::move(median);
  return one_line(out) + "\n";
}

}  // namespace reveal::fleet_site
