#include "cli/config.h"

#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/whole_file.h"
#include "feature/feature_choice.h"
#include "text/duration.h"

namespace reveal::cli {
namespace {

using base::ErrorKind;

constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;
constexpr std::int64_t kShortestPeriodNs = 10'000'000;
constexpr std::int64_t kLongestPeriodNs = 3'600'000'000'000;

std::string place(const std::string& where, const toml::node& node) {
  return fmt::format("{}, line {}", where, node.source().begin.line);
}

base::Result<void> unknown(const toml::key& key, const std::string& where, std::string_view known) {
  return base::fail(ErrorKind::kUsage, fmt::format("{} is not a key here", key.str()),
                    fmt::format("{}, line {}", where, key.source().begin.line),
                    fmt::format("there are {}", known));
}

base::Result<std::chrono::nanoseconds> read_period(const toml::node& node,
                                                   const std::string& where) {
  const auto text = node.value<std::string>();
  const auto ns = text ? text::parse_duration(*text) : base::Result<std::int64_t>(0);
  if (!ns || *ns < kShortestPeriodNs || *ns > kLongestPeriodNs) {
    return base::fail(ErrorKind::kUsage, "must be a time from 10ms to 1h, such as \"1s\"",
                      place(where, node));
  }
  return std::chrono::nanoseconds(*ns);
}

base::Result<void> read_budget(const toml::node& node, const std::string& where,
                               collect::LanePlan& plan) {
  const auto ratio = node.value<double>();
  if (!ratio || !(*ratio > 0.0 && *ratio <= 1.0)) {
    return base::fail(ErrorKind::kUsage, "must be a number above 0 and up to 1, such as 0.01",
                      place(where, node));
  }
  plan.budget_ratio = *ratio;
  return {};
}

base::Result<void> read_lanes(const toml::node& node, const std::string& where,
                              collect::LanePlan& plan) {
  const auto* lanes = node.as_table();
  if (lanes == nullptr) {
    return base::fail(ErrorKind::kUsage, "must be a table: [collect.lanes]", place(where, node));
  }
  for (const auto& [collector, value] : *lanes) {
    const auto word = value.value<std::string>();
    const auto choice = word ? collect::lane_choice(*word) : std::nullopt;
    if (!choice) {
      return base::fail(
          ErrorKind::kUsage,
          fmt::format(R"({} must be "fast", "medium", "slow" or "off")", collector.str()),
          place(where, value));
    }
    plan.choices.emplace(collector.str(), *choice);
  }
  return {};
}

base::Result<void> read_collect(const toml::table& table, const std::string& where,
                                collect::LanePlan& plan) {
  for (const auto& [key, node] : table) {
    base::Result<void> done;
    if (key == "medium" || key == "slow") {
      const auto period = read_period(node, where);
      if (!period) return base::pass(period);
      (key == "medium" ? plan.medium : plan.slow) = *period;
    } else if (key == "budget") {
      done = read_budget(node, where, plan);
    } else if (key == "lanes") {
      done = read_lanes(node, where, plan);
    } else {
      done = unknown(key, where, "medium, slow, budget and lanes");
    }
    if (!done) return done;
  }
  return {};
}

// One name, or a list of names.
base::Result<std::vector<std::string>> read_names(const toml::node& node,
                                                  const std::string& where) {
  if (const auto name = node.value<std::string>()) return std::vector{*name};
  const auto* list = node.as_array();
  std::vector<std::string> out;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto name = list->get(i)->value<std::string>();
    if (!name) return base::fail(ErrorKind::kUsage, "must be a name", place(where, *list->get(i)));
    out.push_back(*name);
  }
  if (!out.empty()) return out;
  return base::fail(ErrorKind::kUsage,
                    R"(must be a name or a list of names, such as "default" or ["mean", "range"])",
                    place(where, node));
}

base::Result<void> read_features(const toml::node& node, const std::string& where,
                                 std::vector<std::string>& features) {
  auto names = read_names(node, where);
  if (!names) return base::pass(names);
  const auto choice = feature::choose_features(*names);
  if (!choice) {
    auto error = choice.error();
    error.where = fmt::format("{}: {}", place(where, node), error.where);
    return base::Unexpected(error);
  }
  features = std::move(*names);
  return {};
}

base::Result<void> read_analysis(const toml::table& table, const std::string& where,
                                 Config& config) {
  for (const auto& [key, node] : table) {
    const auto done = key == "features" ? read_features(node, where, config.features)
                                        : unknown(key, where, "features");
    if (!done) return done;
  }
  return {};
}

base::Result<Config> read_document(const toml::table& document, const std::string& where) {
  Config config;
  for (const auto& [key, node] : document) {
    const auto* section = node.as_table();
    const auto done = section != nullptr && key == "collect"
                          ? read_collect(*section, where, config.lanes)
                      : section != nullptr && key == "analysis"
                          ? read_analysis(*section, where, config)
                          : unknown(key, where, "the sections [collect] and [analysis]");
    if (!done) return base::pass(done);
  }
  return config;
}

}  // namespace

base::Result<Config> parse_config(std::string_view text, const std::string& where) {
  try {
    return read_document(toml::parse(text), where);
  } catch (const toml::parse_error& error) {
    return base::fail(ErrorKind::kUsage, std::string(error.description()),
                      fmt::format("{}, line {}", where, error.source().begin.line));
  }
}

base::Result<Config> load_config(const std::filesystem::path& path) {
  const bool asked_for = !path.empty();
  const std::string file = asked_for ? path.string() : kSystemConfig;
  std::error_code ignored;
  if (!asked_for && !std::filesystem::exists(file, ignored)) return Config{};
  const auto text = base::read_whole_file(file, "configuration", kMostConfigBytes);
  if (!text) {
    base::Error error = text.error();
    error.kind = ErrorKind::kUsage;
    error.remedy = "check --config";
    return base::Unexpected(std::move(error));
  }
  return parse_config(*text, file);
}

}  // namespace reveal::cli
