#include "exchange/time_column.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

constexpr std::string_view kUsualNames[] = {
    "time",         "timestamp",    "time_ns",      "time_us",     "time_ms", "time_s",
    "timestamp_ns", "timestamp_us", "timestamp_ms", "timestamp_s", "ts",      "date",
    "datetime",     "_time",        "epoch",        "unix_time",   "unixtime"};

struct UnitSuffix {
  std::string_view text;
  text::TimeUnit unit;
};
constexpr UnitSuffix kSuffixes[] = {{"_ns", text::TimeUnit::kNs},
                                    {"_us", text::TimeUnit::kUs},
                                    {"_ms", text::TimeUnit::kMs},
                                    {"_s", text::TimeUnit::kS}};

bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_usual(std::string_view cell) {
  return std::any_of(std::begin(kUsualNames), std::end(kUsualNames), [&](std::string_view name) {
    return same_but_case(text::trimmed(cell), name);
  });
}

}  // namespace

base::Result<std::size_t> find_time_column(const CsvRecords::Cells& header,
                                           const std::string& wanted, const std::string& where) {
  const auto index = [&](auto place) { return static_cast<std::size_t>(place - header.begin()); };
  if (wanted.empty()) {
    const auto usual = std::find_if(header.begin(), header.end(), is_usual);
    return usual == header.end() ? 0 : index(usual);
  }
  const auto named = std::find_if(header.begin(), header.end(), [&](std::string_view cell) {
    return text::trimmed(cell) == wanted;
  });
  if (named != header.end()) return index(named);
  return base::fail(
      base::ErrorKind::kUsage, fmt::format("there is no column {}", wanted), where,
      fmt::format(
          "its first columns are {}",
          fmt::join(header.begin(),
                    header.begin() + std::min<std::ptrdiff_t>(5, std::ssize(header)), ", ")));
}

TimeColumn::TimeColumn(std::string_view name) : name_(text::trimmed(name)) {
  for (const auto& suffix : kSuffixes) {
    if (name_.ends_with(suffix.text)) unit_ = suffix.unit;
  }
}

std::optional<std::int64_t> TimeColumn::read(std::string_view cell) {
  if (const auto date = text::parse_date(cell)) return date;
  if (!unit_) {
    const auto number = text::parse_number(cell);
    if (!number) return std::nullopt;
    unit_ = text::likely_unit(number->real);
  }
  return text::parse_decimal_time(cell, *unit_);
}

}  // namespace reveal::exchange
