#include "http/metrics.h"

#include <fmt/format.h>

namespace reveal::http {
namespace {

std::string names_of(std::span<const MetricGroup> groups) {
  std::string out;
  for (const auto& group : groups) {
    if (!out.empty()) out += ", ";
    out += group.name;
  }
  return out;
}

// Returns the group's own name, which outlives the request that asks for it.
base::Result<std::string_view> group_named(std::span<const MetricGroup> groups,
                                           const std::string& name) {
  for (const auto& group : groups) {
    if (group.name == name) return group.name;
  }
  return base::fail(base::ErrorKind::kUsage, "there is no group of metrics with that name", name,
                    "known: " + names_of(groups));
}

std::string_view type_word(MetricType type, Exposition format) {
  switch (type) {
    case MetricType::kGauge:
      return "gauge";
    case MetricType::kCounter:
      return "counter";
    case MetricType::kHistogram:
      return "histogram";
    case MetricType::kInfo:
      return format == Exposition::kOpenMetrics ? "info" : "gauge";
  }
  return "";
}

// Returns the name of the metric's family: OpenMetrics leaves out the suffix that its type implies.
std::string_view family_name(const MetricRules& rules, Exposition format) {
  if (format == Exposition::kText) return rules.name;
  std::string_view suffix;
  if (rules.type == MetricType::kCounter) suffix = "_total";
  if (rules.type == MetricType::kInfo) suffix = "_info";
  return rules.name.substr(0, rules.name.size() - suffix.size());
}

}  // namespace

base::Result<std::vector<std::string_view>> chosen_groups(std::span<const MetricGroup> all,
                                                          std::span<const std::string> collected,
                                                          std::span<const std::string> excluded) {
  if (!collected.empty() && !excluded.empty()) {
    return base::fail(base::ErrorKind::kUsage, "collect[] and exclude[] cannot be combined", {},
                      "use one of them");
  }
  std::vector<std::string_view> out;
  for (const auto& group : all) {
    if (collected.empty() && group.by_default) out.push_back(group.name);
  }
  for (const auto& name : collected) {
    const auto group = group_named(all, name);
    if (!group) return base::pass(group);
    out.push_back(*group);
  }
  for (const auto& name : excluded) {
    const auto group = group_named(all, name);
    if (!group) return base::pass(group);
    std::erase(out, *group);
  }
  return out;
}

void append_metric(const MetricRules& rules, std::string_view lines, Exposition format,
                   std::string& out) {
  if (lines.empty()) return;
  const auto family = family_name(rules, format);
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", family, rules.help, family,
                     type_word(rules.type, format));
  if (format == Exposition::kOpenMetrics && !rules.unit.empty()) {
    out += fmt::format("# UNIT {} {}\n", family, rules.unit);
  }
  out += lines;
}

std::string reference_of(const MetricGroup& group, std::span<const MetricRules> rules) {
  auto out = fmt::format("\n## {}\n\nHas {}{}.\n\n", group.name, group.help,
                         group.by_default ? "" : "; only if it is asked for");
  if (rules.empty()) return out;
  out += "| metric | type | labels | meaning |\n|---|---|---|---|\n";
  for (const auto& row : rules) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", row.name,
                       type_word(row.type, Exposition::kOpenMetrics), row.labels, row.help);
  }
  return out;
}

}  // namespace reveal::http
