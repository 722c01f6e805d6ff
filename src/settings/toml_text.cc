#include "settings/toml_text.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "settings/probes.h"
#include "settings/receivers.h"
#include "settings/setting.h"
#include "settings/value_text.h"

namespace reveal::settings {
namespace {

// Returns it as a basic string of TOML 1.0: what it cannot have as it is, escaped.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string list_of(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const auto& word : words) out.push_back(toml_string(word));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string_view::npos;
}

// Returns the value as reveal.toml has it; empty if it is not set.
std::string value_of(const Setting& setting, Settings& all) {
  const auto slot = setting.slot(all);
  if (const auto* list = std::get_if<std::vector<std::string>*>(&slot)) {
    return (*list)->empty() ? "" : list_of(**list);
  }
  const auto text = text_of(setting, all);
  const bool is_text = std::holds_alternative<std::string*>(slot);
  return text.empty() || (!is_text && is_number(text)) ? text : toml_string(text);
}

std::string section_text(std::string_view section, Settings& all) {
  auto out = fmt::format("[{}]\n", section);
  for (const auto& setting : settings_of(section)) {
    if (const auto value = value_of(setting, all); !value.empty()) {
      out += fmt::format("{} = {}\n", setting.key, value);
    }
  }
  return out;
}

std::string poll_classes(const CollectSettings& collect) {
  std::string out;
  for (const auto& [collector, poll_class] : collect.poll_classes) {
    if (out.empty()) out = "\n[collect.poll_classes]\n";
    out += fmt::format("{} = {}\n", toml_string(collector), toml_string(poll_class));
  }
  return out;
}

std::string receiver_text(const ReceiverSettings& receiver) {
  auto out = fmt::format("\n[[alerts.{}]]\n", receiver.kind);
  for (const auto& [key, text] : receiver_texts(receiver)) {
    out += fmt::format("{} = {}\n", key, toml_string(text));
  }
  if (!receiver.run.empty()) out += fmt::format("run = {}\n", list_of(receiver.run));
  return out + fmt::format("timeout = {}\n", toml_string(time_text(receiver.timeout_ns)));
}

std::string probes(const ProbeSettings& probes) {
  std::string out;
  for (const auto& metric : probes.metrics) {
    out += "\n[[probes.metric]]\n";
    for (const auto& [key, text] : probe_texts(metric)) {
      out += fmt::format("{} = {}\n", key, toml_string(text));
    }
    if (metric.scale != 1.0) out += fmt::format("scale = {}\n", metric.scale);
  }
  for (const auto& command : probes.commands) {
    out += fmt::format("\n[[probes.command]]\nrun = {}\nevery = {}\ntimeout = {}\n",
                       list_of(command.run), toml_string(time_text(command.every_ns)),
                       toml_string(time_text(command.timeout_ns)));
  }
  return out;
}

}  // namespace

std::string toml_text(const Settings& settings) {
  Settings all = settings;  // slots are of what may be written
  std::string out;
  std::string_view section;
  for (const auto& setting : all_settings()) {
    if (setting.section == section) continue;
    if (!out.empty()) out += '\n';
    section = setting.section;
    out += section_text(section, all);
    if (section == "collect") out += poll_classes(all.collect);
    if (section == "probes") out += probes(all.probes);
  }
  for (const auto& receiver : all.receivers) out += receiver_text(receiver);
  return out;
}

}  // namespace reveal::settings
