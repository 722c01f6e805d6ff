#include "serve/series_query.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "text/bounded_number.h"
#include "text/parse_time.h"

namespace reveal::serve {
namespace {

using http::Parameter;

constexpr std::int64_t kUsualSpan_ns = std::int64_t{600} * 1'000'000'000;
constexpr std::size_t kUsualPoints = 600;

base::Unexpected refused(const std::string& name, const std::string& what) {
  return base::fail(base::ErrorKind::kUsage, what, name);
}

std::optional<std::int64_t> time_of(const std::string& text) {
  auto out = text::parse_date(text);
  if (!out) out = text::parse_decimal_time(text, text::TimeUnit::kS);
  return out && *out >= 0 ? out : std::nullopt;
}

base::Result<void> check(const SeriesQuery& query) {
  if (query.channels.empty()) return refused("channel", "names the channel that is asked for");
  if (query.channels.size() > kMostSeriesChannels) return refused("channel", "at most 16 of them");
  if (query.from_ns >= query.to_ns) return refused("from", "is not before `to`");
  if (query.to_ns - query.from_ns > kMostSeriesSpan_ns) {
    return refused("from", "at most an hour before `to`");
  }
  if (query.points * query.channels.size() > kMostSeriesPoints) {
    return refused("points", "at most 4000 of all channels together");
  }
  return {};
}

}  // namespace

base::Result<SeriesQuery> parse_series_query(std::span<const Parameter> parameters,
                                             std::int64_t wall_ns) {
  SeriesQuery out;
  std::optional<std::int64_t> from;
  std::optional<std::int64_t> to;
  std::optional<std::size_t> points;
  for (const auto& [name, value] : parameters) {
    if (name == "channel") {
      out.channels.push_back(value);
    } else if (name == "from" || name == "to") {
      auto& time = name == "from" ? from : to;
      time = time_of(value);
      if (!time) return refused(name, "write a date such as 2026-11-20T14:03:07Z, or seconds");
    } else if (name == "points") {
      const auto number = text::number_within(value, std::size_t{1}, kMostSeriesPoints);
      if (!number) return refused(name, "write a number from 1 to 4000");
      points = *number;
    } else {
      return refused(name, "there is no such parameter; known: channel, from, to, points");
    }
  }
  out.to_ns = to.value_or(wall_ns);
  out.from_ns = from.value_or(std::max<std::int64_t>(out.to_ns - kUsualSpan_ns, 0));
  const auto channels = std::max<std::size_t>(out.channels.size(), 1);
  out.points = points.value_or(std::min(kUsualPoints, kMostSeriesPoints / channels));
  if (auto sound = check(out); !sound) return base::pass(sound);
  return out;
}

}  // namespace reveal::serve
