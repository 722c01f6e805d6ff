#include "text/parse_time.h"

#include <chrono>
#include <cmath>

#include "text/parse_number.h"

namespace reveal::text {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr int kFractionDigits = 9;
constexpr double kMax_ns = 9.2e18;  // fits 63 bits

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes a text apart from its front.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_any(std::string_view chars) {
    if (rest_.empty() || chars.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes exactly `digits` digits.
  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return std::nullopt;
      out = out * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return out;
  }
  // Takes all digits that follow, as nanoseconds of a fraction of a second.
  std::int64_t fraction_ns() {
    std::int64_t out = 0;
    int digits = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      if (digits++ < kFractionDigits) out = out * 10 + (rest_.front() - '0');
    }
    for (; digits < kFractionDigits; ++digits) out *= 10;
    return out;
  }
  // Takes a word, whatever the case of its letters; `word` is in lower case.
  bool take_word(std::string_view word) {
    if (rest_.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if ((rest_[i] | 0x20) != word[i]) return false;
    }
    rest_.remove_prefix(word.size());
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// "2026-11-20", or "20261120" if a time is behind it, since alone it is a number.
std::optional<std::int64_t> days_of(Cursor& text) {
  const auto year = text.number(4);
  if (!year) return std::nullopt;
  const bool parted = text.take_any("-/");
  const auto month = text.number(2);
  if (!month || text.take_any("-/") != parted) return std::nullopt;
  const auto day = text.number(2);
  if (!day || *year < 1678 || *year > 2261) return std::nullopt;
  if (!parted && text.at_end()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

std::optional<std::int64_t> seconds_of(Cursor& text) {
  const auto hour = text.number(2);
  if (!hour || !text.take(':')) return std::nullopt;
  const auto minute = text.number(2);
  if (!minute) return std::nullopt;
  const auto second = text.take(':') ? text.number(2) : std::optional<int>(0);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return *hour * 3600 + *minute * 60 + *second;
}

// Returns the offset from UTC in seconds; 0 if there is none.
std::optional<std::int64_t> offset_of(Cursor& text) {
  if (text.take_word("utc") || text.take_word("gmt") || text.take_any("Zz") || text.at_end()) {
    return 0;
  }
  const bool west = text.take('-');
  if (!west && !text.take('+')) return std::nullopt;
  const auto hours = text.number(2);
  if (!hours) return std::nullopt;
  text.take(':');
  const auto minutes = text.at_end() ? std::optional<int>(0) : text.number(2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t offset = *hours * 3600 + *minutes * 60;
  return west ? -offset : offset;
}

// A number with an exponent: its writer had a double.
std::optional<std::int64_t> rounded_time(std::string_view text, TimeUnit unit) {
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  const double ns = number->real * static_cast<double>(static_cast<std::int64_t>(unit));
  if (!(std::fabs(ns) < kMax_ns)) return std::nullopt;
  return std::llround(ns);
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) {
  Cursor cursor(trimmed(text));
  const auto days = days_of(cursor);
  if (!days) return std::nullopt;
  if (cursor.at_end()) return *days * 86'400 * kSecond_ns;
  if (!cursor.take_any("Tt ")) return std::nullopt;
  const auto seconds = seconds_of(cursor);
  if (!seconds) return std::nullopt;
  const std::int64_t fraction_ns = cursor.take_any(".,") ? cursor.fraction_ns() : 0;
  cursor.take(' ');
  const auto offset = offset_of(cursor);
  if (!offset || !cursor.at_end()) return std::nullopt;
  return (*days * 86'400 + *seconds - *offset) * kSecond_ns + fraction_ns;
}

std::optional<std::int64_t> parse_decimal_time(std::string_view text, TimeUnit unit) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  const auto point = digits.find('.');
  const auto whole = parse_u64(digits.substr(0, point));
  if (!whole) return rounded_time(text, unit);
  const auto unit_ns = static_cast<std::int64_t>(unit);
  if (static_cast<double>(*whole) * static_cast<double>(unit_ns) >= kMax_ns) return std::nullopt;
  Cursor cursor(point == std::string_view::npos ? std::string_view() : digits.substr(point + 1));
  const std::int64_t fraction = cursor.fraction_ns() / (kSecond_ns / unit_ns);
  if (!cursor.at_end()) return rounded_time(text, unit);
  const std::int64_t ns = static_cast<std::int64_t>(*whole) * unit_ns + fraction;
  return negative ? -ns : ns;
}

TimeUnit likely_unit(double number) {
  const double size = std::fabs(number);
  if (size < 1e11) return TimeUnit::kS;
  if (size < 1e14) return TimeUnit::kMs;
  if (size < 1e17) return TimeUnit::kUs;
  return TimeUnit::kNs;
}

}  // namespace reveal::text
