#include "exchange/sysstat_samples.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

constexpr int kMonths = 12;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the number that a text begins with, and the character behind it.
std::optional<int> take_number(std::string_view& text) {
  int out = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && digits < 4 && is_digit(text[digits]); ++digits) {
    out = 10 * out + (text[digits] - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return out;
}

struct Date {
  std::array<int, 3> parts{};
  char separator = ' ';
};

// Reads "11/28/26" or "28.11.2026" and leaves what is behind it.
std::optional<Date> take_date(std::string_view& text) {
  Date out;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    out.parts[i] = *number;
    if (i == 2) break;
    if (text.empty() || (text[0] != '/' && text[0] != '.')) return std::nullopt;
    if (i == 1 && text[0] != out.separator) return std::nullopt;
    out.separator = text[0];
    text.remove_prefix(1);
  }
  return out;
}

// Turns "11:09:43 PM" into "23:09:43".
std::string of_24_hours(std::string_view time) {
  const bool afternoon = time.ends_with("PM");
  if (!afternoon && !time.ends_with("AM")) return std::string(time);
  time = text::trimmed(time.substr(0, time.size() - 2));
  const auto hour = take_number(time);
  if (!hour) return std::string(time);
  return fmt::format("{:02}{}", *hour % 12 + (afternoon ? 12 : 0), time);
}

}  // namespace

void SysstatSamples::add(const SysstatReport& report, std::string_view key, std::string_view head,
                         std::string_view host, std::int64_t time_ns, const text::Number& value) {
  if (const auto id = series(report, key, head, host)) out_.add(*id, time_ns, value);
}

std::optional<SeriesId> SysstatSamples::series(const SysstatReport& report, std::string_view key,
                                               std::string_view head, std::string_view host) {
  if (key == "all" || key == "-1") key = {};
  const auto place = std::tuple(&report, std::string(key), std::string(head), std::string(host));
  const auto known = known_.find(place);
  if (known != known_.end()) return known->second;
  std::optional<SeriesId> out;
  const auto column = sysstat_column(report, head);
  const bool skipped = options_.mapping.rule_of(std::string(head)).skip.value_or(false);
  if (column && !skipped) {
    const Labels labels{{std::string(report.label), std::string(key)}};
    out = out_.series(channel_of_labels(column->metric, labels, {}), head, host);
    MappingRule said;
    said.kind = model::Kind::kGauge;
    if (!column->unit.empty()) {
      said.unit = column->unit;
      said.scale = column->scale;
    }
    out_.say(*out, std::move(said));
  }
  known_.emplace(place, out);
  return out;
}

bool says_day_first(std::string_view text) {
  const auto date = take_date(text);
  return date && date->separator == '/' && date->parts[0] > kMonths;
}

std::optional<std::int64_t> parse_local_time(std::string_view text, bool day_first) {
  text = text::trimmed(text);
  if (const auto plain = text::parse_date(text)) return plain;
  const auto date = take_date(text);
  if (!date) return std::nullopt;
  auto [month, day, year] = date->parts;
  if (day_first || date->separator == '.' || month > kMonths) std::swap(month, day);
  if (year < 100) year += 2000;
  return text::parse_date(
      fmt::format("{:04}-{:02}-{:02} {}", year, month, day, of_24_hours(text::trimmed(text))));
}

}  // namespace reveal::exchange
