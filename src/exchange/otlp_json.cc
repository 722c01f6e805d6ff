#include "exchange/otlp_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/channel_name.h"
#include "exchange/json_characters.h"
#include "exchange/otlp_units.h"
#include "exchange/text_lines.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using nlohmann::json;

constexpr const char* kRemedy =
    "write the file with the file exporter of the OpenTelemetry Collector, format json";

// Returns a member that is of that type, or nullptr.
const json* member(const json& of, const char* name, json::value_t type) {
  if (!of.is_object()) return nullptr;
  const auto found = of.find(name);
  return found == of.end() || found->type() != type ? nullptr : &*found;
}

const json& list(const json& of, const char* name) {
  static const json kNone = json::array();
  const auto* found = member(of, name, json::value_t::array);
  return found == nullptr ? kNone : *found;
}

std::string text_in(const json& of, const char* name) {
  const auto* found = member(of, name, json::value_t::string);
  return found == nullptr ? std::string() : found->get<std::string>();
}

// Numbers of 64 bits are texts in this encoding, and NaN and infinities are.
std::string number_text(const json& of, const char* name) {
  const auto found = of.find(name);
  if (found == of.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// An attribute's value is an object with one member: {"stringValue": "x"}.
Labels attributes_of(const json& of) {
  Labels out;
  for (const json& one : list(of, "attributes")) {
    const auto* value = member(one, "value", json::value_t::object);
    if (value == nullptr || value->empty()) continue;
    const json& inner = *value->begin();
    out.emplace_back(text_in(one, "key"),
                     inner.is_string() ? inner.get<std::string>() : inner.dump());
  }
  std::ranges::sort(out);  // writers may have them in any order
  return out;
}

std::string shown(const ChannelName& channel) {
  return channel.instance.empty() ? channel.metric
                                  : fmt::format("{}{{{}}}", channel.metric, channel.instance);
}

// A number that deltas are added to; exact as long as all are whole.
class Sum {
 public:
  text::Number add(const text::Number& delta) {
    whole_ = whole_ && delta.whole;
    count_ += delta.count;
    real_ += delta.real;
    text::Number out;
    out.whole = whole_;
    out.count = whole_ ? count_ : 0;
    out.real = real_;
    return out;
  }

 private:
  bool whole_ = true;
  std::uint64_t count_ = 0;
  double real_ = 0;
};

class OtlpMetrics {
 public:
  OtlpMetrics(const ImportOptions& options, Gathering& out) : options_(options), out_(out) {}

  // Takes one element of "resourceMetrics". `where`: of messages.
  Result<void> take_resource(const json& resource, const std::string& where) {
    where_ = where;
    host_.clear();
    resource_.clear();
    if (const auto* inner = member(resource, "resource", json::value_t::object)) {
      for (auto& attribute : attributes_of(*inner)) {
        if (attribute.first == "host.name") {
          host_ = attribute.second;
        } else {
          resource_.push_back(std::move(attribute));
        }
      }
    }
    ++resources_;
    for (const json& scope : list(resource, "scopeMetrics")) {
      for (const json& metric : list(scope, "metrics")) {
        if (auto done = take_metric(metric); !done) return done;
      }
    }
    return {};
  }

  Result<void> end(const std::string& where) const {
    if (resources_ > 0) return {};
    return base::fail(ErrorKind::kTooLittle, "has no metrics of OpenTelemetry", where, kRemedy);
  }

 private:
  struct Told {
    model::Kind kind;
    bool delta = false;
    std::string unit;
  };

  base::Unexpected broken(std::string_view metric, std::string_view what) const {
    return base::fail(ErrorKind::kCorrupt, fmt::format("metric {}: {}", metric, what), where_,
                      kRemedy);
  }

  Result<void> take_metric(const json& metric) {
    const std::string name = text_in(metric, "name");
    if (name.empty()) return broken("without a name", "a metric must have one");
    Told told{.kind = model::Kind::kGauge, .unit = text_in(metric, "unit")};
    if (const auto* gauge = member(metric, "gauge", json::value_t::object)) {
      return take_numbers(name, *gauge, told);
    }
    told.kind = model::Kind::kCounter;
    if (const auto* sum = member(metric, "sum", json::value_t::object)) {
      const auto* monotonic = member(*sum, "isMonotonic", json::value_t::boolean);
      if (monotonic == nullptr || !monotonic->get<bool>()) told.kind = model::Kind::kGauge;
      told.delta = is_delta(*sum);
      return take_numbers(name, *sum, told);
    }
    for (const char* type : {"histogram", "exponentialHistogram", "summary"}) {
      const auto* inner = member(metric, type, json::value_t::object);
      if (inner == nullptr) continue;
      told.delta = is_delta(*inner);
      return take_distribution(name, *inner, told);
    }
    return {};
  }

  static bool is_delta(const json& of) {
    const auto found = of.find("aggregationTemporality");
    return found != of.end() && (*found == 1 || *found == "AGGREGATION_TEMPORALITY_DELTA");
  }

  Result<void> take_numbers(const std::string& name, const json& of, const Told& told) {
    for (const json& point : list(of, "dataPoints")) {
      if (!has_value(point)) continue;
      std::string value = number_text(point, "asInt");
      if (value.empty()) value = number_text(point, "asDouble");
      if (auto done = take_value(name, point, value, told); !done) return done;
    }
    return {};
  }

  // How many values, and their sum, which a histogram of negative ones need not have.
  Result<void> take_distribution(const std::string& name, const json& of, const Told& told) {
    Told counted = told;
    counted.unit.clear();
    for (const json& point : list(of, "dataPoints")) {
      if (!has_value(point)) continue;
      auto done = take_value(name + "_count", point, number_text(point, "count"), counted);
      if (!done) return done;
      const std::string sum = number_text(point, "sum");
      if (sum.empty()) continue;
      if (done = take_value(name + "_sum", point, sum, told); !done) return done;
    }
    return {};
  }

  // A flag says that there is no value.
  static bool has_value(const json& point) {
    const auto* flags = member(point, "flags", json::value_t::number_unsigned);
    return point.is_object() && (flags == nullptr || flags->get<std::uint64_t>() % 2 == 0);
  }

  Result<void> take_value(const std::string& name, const json& point, const std::string& value,
                          const Told& told) {
    const auto time =
        text::parse_decimal_time(number_text(point, "timeUnixNano"), text::TimeUnit::kNs);
    if (!time) return broken(name, "a point has no time (timeUnixNano)");
    const auto number = text::parse_number(value);
    if (!number) return broken(name, fmt::format("\"{}\" is not a number", value));
    if (!std::isfinite(number->real)) return {};
    const auto id = series_of(name, point, told);
    if (id) out_.add(*id, *time, told.delta ? sums_[*id].add(*number) : *number);
    return {};
  }

  // Returns nothing if the user leaves it out.
  std::optional<SeriesId> series_of(const std::string& name, const json& point, const Told& told) {
    const Labels labels = attributes_of(point);
    auto channel = channel_of_labels(name, labels, {});
    const auto owner =
        owners_.try_emplace({channel.metric, channel.instance, host_}, resource_).first;
    if (owner->second != resource_) {
      Labels all = resource_;
      all.insert(all.end(), labels.begin(), labels.end());
      channel = channel_of_labels(name, all, {});
    }
    const std::string full = shown(channel);
    if (options_.mapping.rule_of(full).skip.value_or(false)) return std::nullopt;
    const auto id = out_.series(channel, full, host_);
    MappingRule said;
    said.kind = told.kind;
    if (const auto unit = base_unit(told.unit, told.kind)) {
      said.unit = unit->unit;
      said.scale = unit->scale;
    }
    out_.say(id, std::move(said));
    return id;
  }

  const ImportOptions& options_;
  Gathering& out_;
  std::string where_;
  std::string host_;
  Labels resource_;
  std::uint64_t resources_ = 0;
  // Whose resource a channel without one is of: the first's that had it.
  std::map<std::tuple<std::string, std::string, std::string>, Labels> owners_;
  std::map<SeriesId, Sum> sums_;
};

// Parses one document and gives the resources to `to` while it does.
template <typename Begin, typename End>
Result<void> parse(Begin begin, End end, const std::string& where, OtlpMetrics& to) {
  constexpr int kElement = 2;  // of the array "resourceMetrics"
  std::optional<base::Error> failure;
  const auto take = [&](int depth, json::parse_event_t event, json& parsed) {
    if (failure) return false;
    if (event != json::parse_event_t::object_end || depth != kElement) return true;
    if (auto done = to.take_resource(parsed, where); !done) failure = done.error();
    return false;
  };
  const auto parsed = json::parse(begin, end, take, false);
  if (failure) return base::Unexpected(*failure);
  if (!parsed.is_discarded()) return {};
  return base::fail(ErrorKind::kCorrupt, "is no whole JSON", where, kRemedy);
}

Result<void> gather(TextInput whole, TextInput again, const ImportOptions& options,
                    Gathering& out) {
  OtlpMetrics metrics(options, out);
  const std::string where = whole.where();
  TextLines lines(std::move(whole));
  auto line = lines.next();
  if (!line) return base::pass(line);
  if (!*line || !json::accept(**line)) {
    Characters characters(again);
    auto done = parse(CharacterIterator(characters), CharacterIterator(), where, metrics);
    if (characters.failure()) return base::Unexpected(*characters.failure());
    return done ? metrics.end(where) : done;
  }
  while (*line) {
    const std::string one(**line);
    if (auto done = parse(one.begin(), one.end(), lines.where(), metrics); !done) return done;
    line = lines.next();
    if (!line) return base::pass(line);
  }
  return metrics.end(where);
}

}  // namespace

Result<void> gather_otlp(const std::filesystem::path& path, const ImportOptions& options,
                         Gathering& out) {
  auto whole = TextInput::open(path);
  if (!whole) return base::pass(whole);
  auto again = TextInput::open(path);
  if (!again) return base::pass(again);
  return gather(std::move(*whole), std::move(*again), options, out);
}

Result<void> gather_otlp_text(std::string text, const std::string& where,
                              const ImportOptions& options, Gathering& out) {
  auto again = TextInput::from_memory(text, where);
  return gather(TextInput::from_memory(std::move(text), where), std::move(again), options, out);
}

}  // namespace reveal::exchange
