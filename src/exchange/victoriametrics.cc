#include "exchange/victoriametrics.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/prometheus_names.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using nlohmann::json;

base::Unexpected broken(const TextLines& lines, std::string what) {
  return base::fail(ErrorKind::kCorrupt, std::move(what), lines.where(),
                    "save the answer of VictoriaMetrics' /api/v1/export as it comes, or name a "
                    "jsonl that reveal export wrote");
}

// Returns the number, NaN for null; nothing if it is neither. Infinities are texts.
std::optional<text::Number> number_of(const json& value) {
  if (value.is_null()) return text::Number{.real = std::nan("")};
  if (value.is_string()) return text::parse_number(value.get_ref<const std::string&>());
  return value.is_number() ? text::parse_number(value.dump()) : std::nullopt;
}

class Exported {
 public:
  Exported(std::string_view stem, const ImportOptions& options, Gathering& out)
      : names_(stem), options_(options), out_(out) {}

  Result<void> take(const TextLines& lines, std::string_view line) {
    const auto parsed = json::parse(line, nullptr, false);
    const auto* values = part(parsed, "values", json::value_t::array);
    const auto* times = part(parsed, "timestamps", json::value_t::array);
    const auto* metric = part(parsed, "metric", json::value_t::object);
    if (values == nullptr || times == nullptr || metric == nullptr) {
      return broken(
          lines,
          "is neither of reveal export nor a series of VictoriaMetrics (metric, values and "
          "timestamps)");
    }
    if (values->size() != times->size()) {
      return broken(lines,
                    fmt::format("has {} values, but {} times", values->size(), times->size()));
    }
    const auto series = series_of(*metric);
    for (std::size_t i = 0; i < values->size(); ++i) {
      const auto time = text::parse_decimal_time((*times)[i].dump(), text::TimeUnit::kMs);
      const auto value = number_of((*values)[i]);
      if (!time || !value) return broken(lines, fmt::format("sample {} is not a number", i + 1));
      if (series && !std::isnan(value->real)) out_.add(*series, *time, *value);
    }
    return {};
  }

 private:
  static const json* part(const json& of, const char* name, json::value_t type) {
    if (!of.is_object()) return nullptr;
    const auto found = of.find(name);
    return found == of.end() || found->type() != type ? nullptr : &*found;
  }

  // Returns nothing if the user leaves it out. A long series comes in several lines.
  std::optional<SeriesId> series_of(const json& metric) {
    const auto known = known_.find(metric.dump());
    if (known != known_.end()) return known->second;
    Labels labels;
    for (const auto& [key, value] : metric.items()) {
      labels.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    const auto labeled = names_.of(labels);
    std::optional<SeriesId> out;
    if (!options_.mapping.rule_of(labeled.name).skip.value_or(false)) {
      out = out_.series(labeled.channel, labeled.name, labeled.host);
    }
    known_.emplace(metric.dump(), out);
    return out;
  }

  PrometheusNames names_;
  const ImportOptions& options_;
  Gathering& out_;
  std::map<std::string, std::optional<SeriesId>> known_;  // by labels
};

}  // namespace

Result<void> gather_victoriametrics_lines(TextLines lines, std::string_view stem,
                                          const ImportOptions& options, Gathering& out) {
  Exported exported(stem, options, out);
  for (;;) {
    const auto line = lines.next();
    if (!line) return base::pass(line);
    if (!*line) return {};
    if (auto done = exported.take(lines, **line); !done) return done;
  }
}

Result<void> gather_victoriametrics(const std::filesystem::path& path, const ImportOptions& options,
                                    Gathering& out) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_victoriametrics_lines(TextLines(std::move(*input)), path.stem().string(), options,
                                      out);
}

}  // namespace reveal::exchange
