#include "probes/statsd.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "probes/instance.h"
#include "text/parse_number.h"

namespace reveal::probes {
namespace {

// What is wrong with a line; null: nothing.
using Problem = const char*;

constexpr Problem kBadName = "the name is not one of a metric";
constexpr Problem kBadValue = "the value is not a number";

// Returns what stands before `end`, and takes both off; all of it if there is no end.
std::string_view take_part(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  const auto part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

std::string name_of(std::string_view text) {
  std::string out(text.substr(0, kLongestName + 1));
  const auto is_kept = [](char c) { return is_metric_name({&c, 1}) || (c >= '0' && c <= '9'); };
  std::replace_if(
      out.begin(), out.end(), [&](char c) { return !is_kept(c); }, '_');
  return out;
}

Labels tags_of(std::string_view text) {
  Labels out;
  // One more than are allowed is enough to be refused.
  while (!text.empty() && out.size() <= kMostLabels) {
    auto value = take_part(text, ',');
    const auto key = take_part(value, ':');
    // A tag may have no value; then it is there or not.
    out.emplace_back(key, value.empty() ? "yes" : value);
  }
  return out;
}

std::optional<StatsdType> type_of(std::string_view word) {
  if (word == "c") return StatsdType::kCount;
  if (word == "g") return StatsdType::kLevel;
  if (word == "ms" || word == "h" || word == "d") return StatsdType::kTiming;
  return std::nullopt;
}

// Reads what follows the type: the rate at which samples are sent, and tags. Others are passed
// over, as the format asks.
Problem read_extras(std::string_view rest, double& rate, StatsdSample& out) {
  while (!rest.empty()) {
    auto part = take_part(rest, '|');
    if (part.starts_with('@')) {
      const auto number = text::parse_number(part.substr(1));
      if (!number || !(number->real > 0) || number->real > 1) {
        return "the rate is not a number above 0, up to 1";
      }
      rate = number->real;
    } else if (part.starts_with('#')) {
      auto instance = instance_of(tags_of(part.substr(1)));
      if (!instance) return "the tags are too many or too long";
      out.instance = std::move(*instance);
    }
  }
  return nullptr;
}

// A level with a sign is a step; there is no other way to say it in StatsD.
StatsdType type_with_sign(StatsdType type, std::string_view value) {
  const bool is_step =
      type == StatsdType::kLevel && (value.starts_with('+') || value.starts_with('-'));
  return is_step ? StatsdType::kLevelStep : type;
}

Problem take_values(std::string_view values, double rate, StatsdSample sample, Datagram& out) {
  const auto type = sample.type;
  do {
    const auto text = take_part(values, ':');
    const auto number = text::parse_number(text);
    if (!number || !std::isfinite(number->real)) return kBadValue;
    if (type == StatsdType::kCount && number->real < 0) return "a count is below 0";
    sample.type = type_with_sign(type, text);
    sample.value = type == StatsdType::kCount ? number->real / rate : number->real;
    out.samples.push_back(sample);
  } while (!values.empty());
  return nullptr;
}

Problem read_line(std::string_view line, Datagram& out) {
  if (line.starts_with("_e{") || line.starts_with("_sc|")) return "events are not recorded";
  StatsdSample sample;
  sample.metric = name_of(take_part(line, ':'));
  if (!is_metric_name(sample.metric)) return kBadName;
  const auto values = take_part(line, '|');
  const auto type = type_of(take_part(line, '|'));
  if (!type) return "the type is not c, g, ms, h or d";
  sample.type = *type;
  double rate = 1;
  if (const Problem problem = read_extras(line, rate, sample)) return problem;
  return take_values(values, rate, std::move(sample), out);
}

}  // namespace

void read_datagram(std::string_view text, Datagram& out) {
  while (!text.empty()) {
    auto line = take_part(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (const Problem problem = read_line(line, out)) {
      ++out.refused;
      out.refusal = problem;
    }
  }
}

}  // namespace reveal::probes
