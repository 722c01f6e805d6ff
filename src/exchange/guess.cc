#include "exchange/guess.h"

#include <algorithm>
#include <string>

#include "exchange/name_words.h"

namespace reveal::exchange {
namespace {

using model::Kind;
using model::Scope;
using model::Subsystem;

constexpr int kMinRises = 3;

constexpr std::string_view kUnitSuffixes[] = {
    "bytes",   "seconds", "ratio",    "celsius", "watts",     "joules", "volts",
    "amperes", "hertz",   "percent",  "packets", "sectors",   "bits",   "pages",
    "rpm",     "errors",  "requests", "tokens",  "operations"};

// Units of levels, which no counter has.
constexpr std::string_view kLevels[] = {"ratio",   "celsius", "watts",   "volts",
                                        "amperes", "hertz",   "percent", "rpm"};

// Words of a name that say a level, however its samples move: a GPU that warms up only rises.
constexpr std::string_view kLevelWords[] = {
    "temperature", "temp",      "util",  "utilization", "power",  "clock",
    "clocks",      "used",      "free",  "fan",         "pstate", "freq",
    "level",       "available", "load1", "load5",       "load15", "frequency"};

struct Bracket {
  std::string_view word;
  GuessedUnit unit;
};
constexpr Bracket kBrackets[] = {
    {"%", {"ratio", 0.01}},
    {"B", {"bytes", 1}},
    {"bytes", {"bytes", 1}},
    {"kB", {"bytes", 1e3}},
    {"KB", {"bytes", 1e3}},
    {"MB", {"bytes", 1e6}},
    {"GB", {"bytes", 1e9}},
    {"KiB", {"bytes", 1024}},
    {"MiB", {"bytes", 1048576}},
    {"GiB", {"bytes", 1073741824}},
    {"W", {"watts", 1}},
    {"mW", {"watts", 1e-3}},
    {"C", {"celsius", 1}},
    {"\xC2\xB0"
     "C",
     {"celsius", 1}},
    {"V", {"volts", 1}},
    {"mV", {"volts", 1e-3}},
    {"Hz", {"hertz", 1}},
    {"MHz", {"hertz", 1e6}},
    {"GHz", {"hertz", 1e9}},
    {"s", {"seconds", 1}},
    {"ms", {"seconds", 1e-3}},
    {"us", {"seconds", 1e-6}},
    {"ns", {"seconds", 1e-9}},
    {"J", {"joules", 1}},
};

struct ScopeKey {
  std::string_view key;
  Scope scope;
};
constexpr ScopeKey kScopeKeys[] = {
    {"cpu", Scope::kCore},  {"core", Scope::kCore}, {"node", Scope::kNode},
    {"gpu", Scope::kGpu},   {"net", Scope::kNic},   {"nic", Scope::kNic},
    {"disk", Scope::kDisk}, {"cg", Scope::kCgroup}, {"cgroup", Scope::kCgroup},
};

std::string_view without_total(std::string_view metric) {
  if (metric.ends_with("_total")) metric.remove_suffix(6);
  return metric;
}

bool has_suffix(std::string_view metric, std::string_view unit) {
  return metric == unit || (metric.size() > unit.size() && metric.ends_with(unit) &&
                            metric[metric.size() - unit.size() - 1] == '_');
}

struct Trend {
  int falls = 0;
  int rises = 0;
};

Trend trend_of(const Series& series) {
  Trend out;
  for (std::size_t i = 1; i < series.bits.size(); ++i) {
    if (series.bits[i] < series.bits[i - 1]) ++out.falls;
    if (series.bits[i] > series.bits[i - 1]) ++out.rises;
  }
  return out;
}

// Of real numbers, whose bits are in their order if they are above zero.
bool falls_often(std::span<const Series* const> series) {
  Trend all;
  for (const Series* one : series) {
    const Trend trend = trend_of(*one);
    all.falls += trend.falls;
    all.rises += trend.rises;
  }
  return all.falls >= kMinRises && all.falls > all.rises / 4;
}

bool says_level(std::string_view metric) {
  const auto words = spaced_words(metric);
  return std::any_of(std::begin(kLevelWords), std::end(kLevelWords),
                     [&](std::string_view level) { return has_words(words, level); });
}

}  // namespace

std::string_view bracketed(std::string_view name) {
  const char closing = name.empty() ? ' ' : name.back();
  if (closing != ')' && closing != ']') return {};
  const auto opening = name.rfind(closing == ')' ? '(' : '[');
  if (opening == std::string_view::npos) return {};
  return name.substr(opening + 1, name.size() - opening - 2);
}

GuessedUnit guess_unit(std::string_view name, std::string_view metric) {
  const auto word = bracketed(name);
  for (const auto& bracket : kBrackets) {
    if (!word.empty() && bracket.word == word) return bracket.unit;
  }
  metric = without_total(metric);
  if (has_suffix(metric, "percent")) return {"ratio", 0.01};
  for (const auto unit : kUnitSuffixes) {
    if (has_suffix(metric, unit)) return {unit, 1.0};
  }
  return {};
}

Scope guess_scope(std::string_view instance, Subsystem subsystem) {
  if (instance.empty()) return Scope::kHost;
  const auto key = instance.substr(0, instance.find('='));
  for (const auto& row : kScopeKeys) {
    if (row.key == key) return row.scope;
  }
  if (is_device_key(key) && subsystem == Subsystem::kNetwork) return Scope::kNic;
  if (is_device_key(key) && subsystem == Subsystem::kStorage) return Scope::kDisk;
  return Scope::kDevice;
}

Kind guess_kind(std::string_view metric, std::string_view unit,
                std::span<const Series* const> series) {
  if (metric.ends_with("_total")) {
    return falls_often(series) ? Kind::kGauge : Kind::kCounter;
  }
  if (says_level(metric)) return Kind::kGauge;
  if (std::find(std::begin(kLevels), std::end(kLevels), unit) != std::end(kLevels)) {
    return Kind::kGauge;
  }
  int rises = 0;
  for (const Series* one : series) {
    if (one->real) return Kind::kGauge;
    const Trend trend = trend_of(*one);
    if (trend.falls > 0) return Kind::kGauge;
    rises = std::max(rises, trend.rises);
  }
  return rises >= kMinRises ? Kind::kCounter : Kind::kGauge;
}

std::string guess_label(std::string_view metric) {
  std::string out(without_total(metric));
  std::replace(out.begin(), out.end(), '_', ' ');
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

}  // namespace reveal::exchange
