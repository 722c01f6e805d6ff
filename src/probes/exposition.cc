#include "probes/exposition.h"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "probes/instance.h"
#include "text/parse_number.h"

namespace reveal::probes {
namespace {

// What is wrong with a line; null: nothing.
using Problem = const char*;

constexpr Problem kBadLabels = "the labels are not NAME=\"VALUE\", with commas between, in braces";

void skip_spaces(std::string_view& rest) {
  const auto begin = rest.find_first_not_of(" \t");
  rest.remove_prefix(begin == std::string_view::npos ? rest.size() : begin);
}

std::string_view take_until(std::string_view& rest, std::string_view ends) {
  const auto word = rest.substr(0, rest.find_first_of(ends));
  rest.remove_prefix(word.size());
  return word;
}

bool take(std::string_view& rest, char c) {
  if (!rest.starts_with(c)) return false;
  rest.remove_prefix(1);
  return true;
}

// Reads what stands between quotes, of which the first is taken, and the last quote.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '"') return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    if (rest.empty()) return std::nullopt;
    out += rest.front() == 'n' ? '\n' : rest.front();
    rest.remove_prefix(1);
  }
  return std::nullopt;
}

// Reads one label and the comma after it.
bool take_label(std::string_view& rest, Labels& labels) {
  const auto key = text::trimmed(take_until(rest, "=,}"));
  if (!is_metric_name(key) || !take(rest, '=')) return false;
  skip_spaces(rest);
  if (!take(rest, '"')) return false;
  auto value = take_quoted(rest);
  if (!value) return false;
  for (const auto& label : labels) {
    if (label.first == key) return false;
  }
  labels.emplace_back(key, std::move(*value));
  skip_spaces(rest);
  return take(rest, ',') || rest.starts_with('}');
}

// Reads labels up to the closing brace; the opening one is taken.
bool take_labels(std::string_view& rest, Labels& labels) {
  for (;;) {
    skip_spaces(rest);
    if (take(rest, '}')) return true;
    if (!take_label(rest, labels)) return false;
  }
}

Problem read_line(std::string_view line, Sample& out) {
  const auto name = take_until(line, "{ \t");
  if (!is_metric_name(name)) return "the name is not one of a metric";
  out.metric = name;
  skip_spaces(line);
  Labels labels;
  if (take(line, '{') && !take_labels(line, labels)) return kBadLabels;
  auto instance = instance_of(std::move(labels));
  if (!instance) return "the labels are too many or too long";
  out.instance = std::move(*instance);
  skip_spaces(line);
  const auto value = text::parse_number(take_until(line, " \t"));
  if (!value) return "the value is not a number";
  out.value = value->real;
  skip_spaces(line);
  return line.empty() ? nullptr : "a sample has a time of its own";
}

void refuse(std::size_t number, std::string_view why, Exposition& out) {
  if (out.refused++ == 0) out.first_refusal = fmt::format("line {}: {}", number, why);
}

void take_line(std::string_view line, std::size_t number, Exposition& out) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = text::trimmed(line);
  if (line.empty() || line.front() == '#') return;
  Sample sample;
  if (const Problem problem = read_line(line, sample)) return refuse(number, problem, out);
  if (!std::isfinite(sample.value)) return;
  if (out.samples.size() == kMostSamples) {
    return refuse(number, fmt::format("there are more than {} samples", kMostSamples), out);
  }
  out.samples.push_back(std::move(sample));
}

}  // namespace

Exposition read_exposition(std::string_view text) {
  Exposition out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    take_line(text.substr(0, end), number, out);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace reveal::probes
