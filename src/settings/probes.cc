#include "settings/probes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "model/metric.h"
#include "settings/toml_errors.h"
#include "settings/value_text.h"
#include "text/duration.h"

namespace reveal::settings {
namespace {

using base::Result;

constexpr std::size_t kMostTables = 1000;
constexpr std::size_t kLongestText = 100;
constexpr std::int64_t kShortestEvery_ns = 2'000'000'000;
constexpr std::int64_t kLongestEvery_ns = 86'400'000'000'000;
constexpr std::int64_t kShortestTimeout_ns = 100'000'000;
// A program that hangs holds back its own samples alone, but there is no use in waiting longer.
constexpr std::int64_t kLongestTimeout_ns = 600'000'000'000;

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
  };
  return is_letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9');
         });
}

bool is_kind(std::string_view text) {
  model::Kind any{};
  return model::from_string(text, any);
}

bool is_subsystem(std::string_view text) {
  model::Subsystem any{};
  return model::from_string(text, any);
}

bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// A key of a metric that is a text. REQUIRES of `fits`: a text that is not empty.
struct TextKey {
  std::string_view name;
  std::string ProbeMetricSettings::*text;
  std::string_view expected;
  bool (*fits)(std::string_view text);
  bool is_needed = true;
};
constexpr auto kTextKeys = std::to_array<TextKey>({
    {"name", &ProbeMetricSettings::name, R"(letters, digits, _ and :, such as "step_seconds")",
     is_name},
    {"kind", &ProbeMetricSettings::kind, R"("counter", "gauge", "event" or "static")", is_kind},
    {"unit", &ProbeMetricSettings::unit, R"(a text, such as "seconds")", is_printable},
    {"subsystem", &ProbeMetricSettings::subsystem,
     R"("cpu", "gpu", "memory", "network", "storage" or "unknown")", is_subsystem},
    {"label", &ProbeMetricSettings::label, R"(a noun phrase, such as "Training step")",
     is_printable, false},
});

const std::vector<std::string>& metric_keys() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    out.reserve(kTextKeys.size() + 1);
    for (const auto& key : kTextKeys) out.emplace_back(key.name);
    out.emplace_back("scale");
    return out;
  }();
  return all;
}

// "train_step_seconds" as "Train step seconds".
std::string label_of(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  if (out.front() >= 'a' && out.front() <= 'z') out.front() -= 'a' - 'A';
  return out;
}

Result<void> read_text(const TextKey& key, const toml::node& node, const std::string& where,
                       ProbeMetricSettings& out) {
  const auto text = node.value<std::string>();
  if (!node.is_string() || text->empty() || text->size() > kLongestText || !key.fits(*text)) {
    return at(fmt::format("{} must be {}", key.name, key.expected), where, node);
  }
  out.*key.text = *text;
  return {};
}

Result<void> read_metric_key(const toml::key& name, const toml::node& node,
                             const std::string& where, ProbeMetricSettings& out) {
  if (name == "scale") {
    const auto number = node.value<double>();
    if (!number || !std::isfinite(*number) || *number == 0) {
      return at("scale must be a number other than 0", where, node);
    }
    out.scale = *number;
    return {};
  }
  for (const auto& key : kTextKeys) {
    if (key.name == name.str()) return read_text(key, node, where, out);
  }
  return unknown(name, where, metric_keys());
}

Result<void> read_metric(const toml::table& table, const std::string& where, Given& given) {
  ProbeMetricSettings out;
  for (const auto& [name, node] : table) {
    if (auto done = read_metric_key(name, node, where, out); !done) return done;
  }
  for (const auto& key : kTextKeys) {
    if (key.is_needed && !table.contains(key.name)) {
      return at(fmt::format("a metric of [[probes.metric]] needs the key {}", key.name), where,
                table);
    }
  }
  if (out.label.empty()) out.label = label_of(out.name);
  given.probe_metric_by_file(std::move(out));
  return {};
}

Result<void> read_time(std::string_view name, const toml::node& node, std::int64_t least,
                       std::int64_t most, const std::string& where, std::int64_t& out) {
  const auto text = node.value<std::string>();
  const auto time = text::parse_duration(text.value_or(""));
  if (!text || !time || *time < least || *time > most) {
    return at(fmt::format(R"({} must be a time from {} to {}, such as "30s")", name,
                          time_text(least), time_text(most)),
              where, node);
  }
  out = *time;
  return {};
}

Result<void> read_words(const toml::node& node, const std::string& where,
                        std::vector<std::string>& out) {
  const auto* words = node.as_array();
  if (words == nullptr || words->empty()) {
    return at(R"(run must be a list of words, such as ["/usr/local/bin/power", "--all"])", where,
              node);
  }
  for (const auto& word : *words) {
    const auto text = word.value<std::string>();
    if (!text || (out.empty() && text->empty())) return at("must be a text", where, word);
    out.push_back(*text);
  }
  return {};
}

Result<void> read_command_key(const toml::key& name, const toml::node& node,
                              const std::string& where, ProbeCommandSettings& out) {
  if (name == "run") return read_words(node, where, out.run);
  if (name == "every") {
    return read_time("every", node, kShortestEvery_ns, kLongestEvery_ns, where, out.every_ns);
  }
  if (name == "timeout") {
    return read_time("timeout", node, kShortestTimeout_ns, kLongestTimeout_ns, where,
                     out.timeout_ns);
  }
  return unknown(name, where, {"run", "every", "timeout"});
}

Result<void> read_command(const toml::table& table, const std::string& where, Given& given) {
  ProbeCommandSettings out;
  for (const auto& [name, node] : table) {
    if (auto done = read_command_key(name, node, where, out); !done) return done;
  }
  if (out.run.empty()) return at("a command of [[probes.command]] needs the key run", where, table);
  // What is not given is no longer than what is.
  if (!table.contains("timeout")) out.timeout_ns = std::min(out.timeout_ns, out.every_ns);
  if (out.timeout_ns > out.every_ns) {
    return at("timeout must not be longer than every", where, table);
  }
  given.probe_command_by_file(std::move(out));
  return {};
}

}  // namespace

bool is_probe_table(std::string_view key) {
  return std::find(kProbeTables.begin(), kProbeTables.end(), key) != kProbeTables.end();
}

Result<void> read_probes(std::string_view key, const toml::node& node, const std::string& where,
                         Given& given) {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || !list->is_homogeneous<toml::table>()) {
    return at(fmt::format("must be tables: [[probes.{}]]", key), where, node);
  }
  if (list->size() > kMostTables) {
    return at(fmt::format("there are more than {} tables", kMostTables), where, node);
  }
  for (const auto& one : *list) {
    const auto& table = *one.as_table();
    auto done =
        key == "metric" ? read_metric(table, where, given) : read_command(table, where, given);
    if (!done) return done;
  }
  return {};
}

std::vector<std::pair<std::string_view, std::string>> probe_texts(
    const ProbeMetricSettings& metric) {
  std::vector<std::pair<std::string_view, std::string>> out;
  out.reserve(kTextKeys.size());
  for (const auto& key : kTextKeys) out.emplace_back(key.name, metric.*key.text);
  return out;
}

}  // namespace reveal::settings
