#include "settings/receivers.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "settings/toml_errors.h"
#include "settings/value_text.h"
#include "text/duration.h"

namespace reveal::settings {
namespace {

using base::Result;

constexpr std::int64_t kShortest_ns = 100'000'000;

// One key of a receiver's table: which kinds have it, and whether they need it.
struct Key {
  std::string_view name;
  std::string_view kinds;  // of receivers, with commas between
  bool is_needed = false;
  std::string ReceiverSettings::*text = nullptr;  // nullptr: not a text
};

// What a kind of receiver may take for one send, as alert/options.h has it.
struct Kind {
  std::string_view name;
  std::int64_t longest_ns;
};
constexpr auto kKinds = std::to_array<Kind>({
    {"alertmanager", 30'000'000'000},
    {"webhook", 30'000'000'000},
    {"command", 600'000'000'000},
    {"journal", 30'000'000'000},
});
constexpr auto kNames = [] {
  std::array<std::string_view, kKinds.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kKinds[i].name;
  return out;
}();

constexpr auto kKeys = std::to_array<Key>({
    {"url", "alertmanager,webhook", true, &ReceiverSettings::url},
    {"ca_file", "alertmanager,webhook", false, &ReceiverSettings::ca_file},
    {"token_file", "alertmanager,webhook", false, &ReceiverSettings::token_file},
    {"secret_file", "webhook", false, &ReceiverSettings::secret_file},
    {"run", "command", true},
    {"timeout", "alertmanager,webhook,command,journal"},
});

std::vector<Key> keys_of(std::string_view kind) {
  std::vector<Key> out;
  for (const auto& key : kKeys) {
    const auto kinds = fmt::format(",{},", key.kinds);
    if (kinds.find(fmt::format(",{},", kind)) != std::string::npos) out.push_back(key);
  }
  return out;
}

Result<void> read_words(const toml::node& node, const std::string& where, ReceiverSettings& out) {
  const auto* words = node.as_array();
  if (words == nullptr || words->empty()) {
    return at(R"(must be a list of words, such as ["/usr/local/bin/tell", "ops"])", where, node);
  }
  for (const auto& word : *words) {
    const auto text = word.value<std::string>();
    if (!text) return at("must be a text", where, word);
    out.run.push_back(*text);
  }
  return {};
}

Result<void> read_timeout(const toml::node& node, const std::string& where, ReceiverSettings& out) {
  const auto text = node.value<std::string>();
  const auto time = text::parse_duration(text.value_or(""));
  const auto& kind = *std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const Kind& one) { return one.name == out.kind; });
  if (!text || !time || *time < kShortest_ns || *time > kind.longest_ns) {
    return at(fmt::format(R"(must be a time from {} to {}, such as "5s")", time_text(kShortest_ns),
                          time_text(kind.longest_ns)),
              where, node);
  }
  out.timeout_ns = *time;
  return {};
}

Result<void> read_key(const Key& key, const toml::node& node, const std::string& where,
                      ReceiverSettings& out) {
  if (key.name == "run") return read_words(node, where, out);
  if (key.name == "timeout") return read_timeout(node, where, out);
  const auto text = node.value<std::string>();
  if (!node.is_string() || text->empty()) return at("must be a text", where, node);
  out.*key.text = *text;
  return {};
}

Result<ReceiverSettings> read_receiver(std::string_view kind, const toml::table& table,
                                       const std::string& where) {
  ReceiverSettings out;
  out.kind = kind;
  const auto keys = keys_of(kind);
  for (const auto& [name, node] : table) {
    const std::string_view word = name.str();
    const auto key =
        std::find_if(keys.begin(), keys.end(), [word](const Key& one) { return one.name == word; });
    if (key == keys.end()) {
      std::vector<std::string> known;
      known.reserve(keys.size());
      for (const auto& one : keys) known.emplace_back(one.name);
      return unknown(name, where, known);
    }
    if (auto done = read_key(*key, node, where, out); !done) return base::pass(done);
  }
  for (const auto& key : keys) {
    if (key.is_needed && !table.contains(key.name)) {
      return at(fmt::format("a receiver of [[alerts.{}]] needs the key {}", kind, key.name), where,
                table);
    }
  }
  return out;
}

}  // namespace

std::span<const std::string_view> receiver_kinds() {
  return kNames;
}

bool is_receiver_kind(std::string_view key) {
  return std::find(kNames.begin(), kNames.end(), key) != kNames.end();
}

Result<void> read_receivers(std::string_view kind, const toml::node& node, const std::string& where,
                            Given& given) {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || !list->is_homogeneous<toml::table>()) {
    return at(fmt::format("must be tables: [[alerts.{}]]", kind), where, node);
  }
  for (const auto& one : *list) {
    auto receiver = read_receiver(kind, *one.as_table(), where);
    if (!receiver) return base::pass(receiver);
    given.receiver_by_file(std::move(*receiver));
  }
  return {};
}

std::vector<std::pair<std::string_view, std::string>> receiver_texts(
    const ReceiverSettings& receiver) {
  std::vector<std::pair<std::string_view, std::string>> out;
  for (const auto& key : kKeys) {
    if (key.text == nullptr || (receiver.*key.text).empty()) continue;
    out.emplace_back(key.name, receiver.*key.text);
  }
  return out;
}

}  // namespace reveal::settings
