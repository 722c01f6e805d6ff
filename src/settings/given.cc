#include "settings/given.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "settings/method_names.h"

namespace reveal::settings {
namespace {

constexpr std::array<std::string_view, 5> kPollClasses{"fast", "quick", "medium", "slow", "off"};

base::Result<void> check(const Setting& setting, const std::string& text) {
  Settings any;
  return set(setting, text, any);
}

// REQUIRES: check().
void apply(const std::map<const Setting*, std::string>& texts, bool analysis, Settings& settings) {
  for (const auto& [setting, text] : texts) {
    if (analysis || setting->section != "analysis") (void)set(*setting, text, settings);
  }
}

}  // namespace

base::Result<void> Given::by_flag(const Setting& setting, const std::string& text) {
  auto sound = check(setting, text);
  if (sound) flags_[&setting] = text;
  return sound;
}

base::Result<void> Given::by_file(const Setting& setting, const std::string& text,
                                  const std::string& place) {
  auto sound = check(setting, text);
  if (!sound) return sound;
  file_[&setting] = text;
  places_[&setting] = place;
  return {};
}

base::Result<void> Given::poll_class_by_file(const std::string& collector,
                                             const std::string& poll_class) {
  if (std::find(kPollClasses.begin(), kPollClasses.end(), poll_class) == kPollClasses.end()) {
    return base::fail(base::ErrorKind::kUsage,
                      R"(must be "fast", "quick", "medium", "slow" or "off")", collector);
  }
  poll_classes_[collector] = poll_class;
  return {};
}

const std::string* Given::flag_text(std::string_view section, std::string_view key) const {
  const auto found = flags_.find(find_setting(section, key));
  return found == flags_.end() ? nullptr : &found->second;
}

std::string Given::place_of(std::string_view section, std::string_view key) const {
  const auto* setting = find_setting(section, key);
  if (flags_.contains(setting)) return std::string(setting->flag);
  const auto found = places_.find(setting);
  if (found == places_.end()) return fmt::format("[{}] {}", section, key);
  return fmt::format("{}: {}", found->second, key);
}

std::string Given::method_in(const Texts& texts) const {
  const auto found = texts.find(find_setting("analysis", "method"));
  return found == texts.end() ? std::string(kDefaultMethod.name) : found->second;
}

std::string Given::method() const {
  const auto* flag = flag_text("analysis", "method");
  return flag != nullptr ? *flag : method_in(file_);
}

Settings Given::over(const AnalysisSettings& method) const {
  Settings out;
  out.analysis = method;
  apply(file_, this->method() == method_in(file_), out);
  apply(flags_, true, out);
  out.collect.poll_classes = poll_classes_;
  out.receivers = receivers_;
  out.probes.metrics = probe_metrics_;
  out.probes.commands = probe_commands_;
  return out;
}

}  // namespace reveal::settings
