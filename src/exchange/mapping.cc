#include "exchange/mapping.h"

#include <cmath>

#include <fmt/format.h>
#include <fnmatch.h>
#include <toml++/toml.h>

#include "exchange/text_input.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMaxMappingBytes = std::size_t{16} << 20;

std::string place(const std::string& where, const toml::source_region& source) {
  return fmt::format("{}, line {}", where, source.begin.line);
}

base::Unexpected wrong(const std::string& where, const toml::node& node, std::string what) {
  return base::fail(ErrorKind::kUsage, std::move(what), place(where, node.source()));
}

template <typename Enum>
bool read_word(const toml::node& node, std::optional<Enum>& out) {
  const auto word = node.value<std::string>();
  Enum value{};
  if (!word || !model::from_string(*word, value)) return false;
  out = value;
  return true;
}

bool read_text(const toml::node& node, std::optional<std::string>& out) {
  out = node.value<std::string>();
  return out.has_value();
}

bool read_scale(const toml::node& node, std::optional<double>& out) {
  out = node.value<double>();
  return out && std::isfinite(*out) && *out != 0.0;
}

bool read_skip(const toml::node& node, std::optional<bool>& out) {
  out = node.value<bool>();
  return out.has_value();
}

bool read_match(const toml::node& node, std::string& out) {
  out = node.value<std::string>().value_or("");
  return !out.empty();
}

struct Key {
  std::string_view name;
  std::string_view expected;
  bool (*read)(const toml::node& node, MappingRule& out);
};
constexpr Key kKeys[] = {
    {"match", "a pattern in quotes",
     [](const toml::node& node, MappingRule& out) { return read_match(node, out.match); }},
    {"kind", R"("counter", "gauge", "event" or "static")",
     [](const toml::node& node, MappingRule& out) { return read_word(node, out.kind); }},
    {"subsystem", R"("cpu", "gpu", "memory", "network", "storage" or "unknown")",
     [](const toml::node& node, MappingRule& out) { return read_word(node, out.subsystem); }},
    {"scope", R"("host", "core", "node", "gpu", "nic", "disk", "cgroup" or "device")",
     [](const toml::node& node, MappingRule& out) { return read_word(node, out.scope); }},
    {"scale", "a number other than 0",
     [](const toml::node& node, MappingRule& out) { return read_scale(node, out.scale); }},
    {"skip", "true or false",
     [](const toml::node& node, MappingRule& out) { return read_skip(node, out.skip); }},
    {"unit", "a text in quotes",
     [](const toml::node& node, MappingRule& out) { return read_text(node, out.unit); }},
    {"metric", "a text in quotes",
     [](const toml::node& node, MappingRule& out) { return read_text(node, out.metric); }},
    {"instance", "a text in quotes",
     [](const toml::node& node, MappingRule& out) { return read_text(node, out.instance); }},
    {"label", "a text in quotes",
     [](const toml::node& node, MappingRule& out) { return read_text(node, out.label); }},
};

std::string known_keys() {
  std::string out;
  for (const auto& key : kKeys) out.append(out.empty() ? "" : ", ").append(key.name);
  return out;
}

Result<MappingRule> read_rule(const toml::table& table, const std::string& where) {
  MappingRule rule;
  for (const auto& [name, node] : table) {
    const Key* known = nullptr;
    for (const auto& key : kKeys) {
      if (key.name == name.str()) known = &key;
    }
    if (known == nullptr) {
      return base::fail(ErrorKind::kUsage, fmt::format("{} is not a key of a channel", name.str()),
                        place(where, name.source()), "there are " + known_keys());
    }
    if (!known->read(node, rule)) {
      return wrong(where, node, fmt::format("{} must be {}", name.str(), known->expected));
    }
  }
  if (rule.match.empty()) {
    return base::fail(ErrorKind::kUsage, "a channel without match", place(where, table.source()),
                      R"(name its channels: match = "node_cpu_*")");
  }
  return rule;
}

Result<Mapping> read_document(const toml::table& document, const std::string& where) {
  Mapping out;
  for (const auto& [name, node] : document) {
    const auto* list = node.as_array();
    if (name != "channel" || list == nullptr || !list->is_array_of_tables()) {
      return base::fail(ErrorKind::kUsage, fmt::format("{} is not a key here", name.str()),
                        place(where, name.source()), "there are the tables [[channel]]");
    }
    for (const auto& entry : *list) {
      auto rule = read_rule(*entry.as_table(), where);
      if (!rule) return base::pass(rule);
      out.add(std::move(*rule));
    }
  }
  return out;
}

template <typename T>
void take_over(std::optional<T>& out, const std::optional<T>& later) {
  if (later) out = later;
}

}  // namespace

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

void MappingRule::complete(const MappingRule& by) {
  const auto fill = [](auto& to, const auto& from) {
    if (!to) to = from;
  };
  if (!unit) fill(scale, by.scale);  // the user's unit has the user's scale, or 1
  fill(unit, by.unit);
  fill(metric, by.metric);
  fill(kind, by.kind);
  fill(subsystem, by.subsystem);
  fill(scope, by.scope);
  fill(label, by.label);
}

MappingRule Mapping::rule_of(const std::string& channel) const {
  MappingRule out;
  for (const auto& rule : rules_) {
    if (!matches(rule.match, channel)) continue;
    take_over(out.kind, rule.kind);
    take_over(out.subsystem, rule.subsystem);
    take_over(out.scope, rule.scope);
    take_over(out.scale, rule.scale);
    take_over(out.skip, rule.skip);
    take_over(out.unit, rule.unit);
    take_over(out.metric, rule.metric);
    take_over(out.instance, rule.instance);
    take_over(out.label, rule.label);
  }
  return out;
}

Result<Mapping> parse_mapping(std::string_view text, const std::string& where) {
  try {
    return read_document(toml::parse(text), where);
  } catch (const toml::parse_error& error) {
    return base::fail(ErrorKind::kUsage, std::string(error.description()),
                      place(where, error.source()));
  }
}

Result<Mapping> load_mapping(const std::filesystem::path& path) {
  const auto text = read_text(path, kMaxMappingBytes);
  if (!text) return base::pass(text);
  return parse_mapping(*text, path.string());
}

}  // namespace reveal::exchange
