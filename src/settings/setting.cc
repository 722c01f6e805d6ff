#include "settings/setting.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "detect/detector.h"
#include "feature/feature_choice.h"
#include "settings/method_names.h"
#include "settings/value_text.h"
#include "text/bounded_number.h"
#include "text/byte_count.h"
#include "text/duration.h"
#include "text/nearest.h"

namespace reveal::settings {
namespace {

using base::ErrorKind;
using base::Result;

// Fails unless the value lies within the bounds, which `parse` reads like the value itself.
template <typename Value, typename Parse>
Result<void> keep(const Setting& setting, const std::string& text, Parse parse, Value& out) {
  const auto value = parse(text);
  if (!value) return base::pass(value);
  const bool above = setting.least.empty() || *value >= *parse(std::string(setting.least));
  const bool below = setting.most.empty() || *value <= *parse(std::string(setting.most));
  if (!above || !below) {
    return base::fail(ErrorKind::kUsage, "must be " + bounds_of(setting), text);
  }
  out = *value;
  return {};
}

template <typename Number>
Result<void> keep_number(const Setting& setting, const std::string& text, Number& out) {
  const auto parse = [](const std::string& number) {
    return text::number_within<Number>(number, std::numeric_limits<Number>::lowest(),
                                       std::numeric_limits<Number>::max());
  };
  if (!setting.least.empty() && !parse(text)) {
    return base::fail(ErrorKind::kUsage, "must be a number " + bounds_of(setting), text);
  }
  return keep(setting, text, parse, out);
}

Result<void> check_names(const std::vector<std::string>& names,
                         const std::vector<std::string>& known, std::string_view noun) {
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return base::fail(ErrorKind::kUsage,
                      fmt::format("{} is not a {}{}", name, noun, text::did_you_mean(name, known)),
                      {}, fmt::format("there are {}", fmt::join(known, ", ")));
  }
  return {};
}

// How the text of each type of value is read.
struct Reader {
  const Setting& setting;
  const std::string& text;

  Result<void> operator()(bool* out) const {
    if (text != "on" && text != "off") {
      return base::fail(ErrorKind::kUsage, "must be on or off", text);
    }
    *out = text == "on";
    return {};
  }
  Result<void> operator()(std::int64_t* out) const {
    return keep(
        setting, text, [](const std::string& time) { return text::parse_duration(time); }, *out);
  }
  Result<void> operator()(std::uint64_t* out) const {
    if (setting.form != Form::kBytes) return keep_number(setting, text, *out);
    return keep(
        setting, text, [](const std::string& size) { return text::parse_byte_count(size); }, *out);
  }
  Result<void> operator()(std::uint32_t* out) const { return keep_number(setting, text, *out); }
  Result<void> operator()(int* out) const { return keep_number(setting, text, *out); }
  Result<void> operator()(double* out) const { return keep_number(setting, text, *out); }
  Result<void> operator()(std::optional<double>* out) const {
    return keep_number(setting, text, out->emplace());
  }
  Result<void> operator()(std::string* out) const {
    if (text.empty()) return base::fail(ErrorKind::kUsage, "must not be empty");
    if (setting.form == Form::kMethod || setting.form == Form::kWord) {
      if (auto known = check_names({text}, choices_of(setting), setting.key); !known) return known;
    }
    *out = text;
    return {};
  }
  Result<void> operator()(std::vector<std::string>* out) const {
    auto names = split_names(text);
    if (setting.form == Form::kFeatures) {
      if (const auto known = feature::choose_features(names); !known) return base::pass(known);
    } else if (setting.form == Form::kDetectors) {
      if (auto known = check_names(names, choices_of(setting), "detector"); !known) return known;
    }
    *out = std::move(names);
    return {};
  }
  Result<void> operator()(std::optional<window::Length>* out) const {
    const auto length = window::parse_length(text);
    if (!length) return base::pass(length);
    *out = *length;
    return {};
  }
  Result<void> operator()(detect::Threshold* out) const {
    const auto threshold = detect::parse_threshold(text);
    if (!threshold) return base::pass(threshold);
    *out = *threshold;
    return {};
  }
  Result<void> operator()(FreeSpace* out) const {
    const auto space = parse_free_space(text);
    if (!space) return base::pass(space);
    *out = *space;
    return {};
  }
};

struct Writer {
  const Setting& setting;

  std::string operator()(const bool* value) const { return *value ? "on" : "off"; }
  std::string operator()(const std::int64_t* value) const {
    return *value == 0 ? "" : time_text(*value);
  }
  std::string operator()(const std::uint64_t* value) const {
    if (setting.form != Form::kBytes) return text::number_text(*value);
    return *value == 0 ? "" : size_text(*value);
  }
  std::string operator()(const std::uint32_t* value) const { return text::number_text(*value); }
  std::string operator()(const int* value) const { return text::number_text(*value); }
  std::string operator()(const double* value) const { return text::number_text(*value); }
  std::string operator()(const std::optional<double>* value) const {
    return *value ? text::number_text(**value) : "";
  }
  std::string operator()(const std::string* value) const { return *value; }
  std::string operator()(const std::vector<std::string>* value) const {
    return fmt::format("{}", fmt::join(*value, ","));
  }
  std::string operator()(const std::optional<window::Length>* value) const {
    if (!*value) return "";
    const bool ticks = (*value)->unit == window::Length::Unit::kTicks;
    return ticks ? text::number_text((*value)->amount) : time_text((*value)->amount);
  }
  std::string operator()(const detect::Threshold* value) const { return detect::to_string(*value); }
  std::string operator()(const FreeSpace* value) const { return to_string(*value); }
};

}  // namespace

std::span<const Setting> settings_of(std::string_view section) {
  const auto all = all_settings();
  const auto in_section = [&](const Setting& row) { return row.section == section; };
  const auto begin = std::find_if(all.begin(), all.end(), in_section);
  return {begin, std::find_if_not(begin, all.end(), in_section)};
}

const Setting* find_setting(std::string_view section, std::string_view key) {
  for (const auto& row : all_settings()) {
    if (row.section == section && row.key == key) return &row;
  }
  return nullptr;
}

Result<void> set(const Setting& setting, const std::string& text, Settings& settings) {
  Settings changed = settings;
  auto done = std::visit(Reader{setting, text}, setting.slot(changed));
  if (done) settings = std::move(changed);
  return done;
}

std::string text_of(const Setting& setting, const Settings& settings) {
  Settings copy = settings;
  return std::visit([&](const auto* value) { return Writer{setting}(value); }, setting.slot(copy));
}

std::string bounds_of(const Setting& setting) {
  if (setting.least.empty()) return "";
  if (setting.most.empty()) return fmt::format("at least {}", setting.least);
  return fmt::format("from {} to {}", setting.least, setting.most);
}

std::vector<std::string> choices_of(const Setting& setting) {
  std::vector<std::string> out;
  if (setting.form == Form::kMethod) {
    for (const auto& method : kMethodNames) out.emplace_back(method.name);
  } else if (setting.form == Form::kDetectors) {
    for (const auto& row : detect::registry()) out.emplace_back(row.name);
  } else if (setting.form == Form::kFeatures) {
    for (const auto& profile : feature::feature_profiles()) out.emplace_back(profile.name);
  } else if (!setting.words.empty()) {
    out = split_names(setting.words);
  }
  return out;
}

std::string help_of(const Setting& setting) {
  std::string out(setting.help);
  if (setting.form == Form::kMethod) {
    for (const auto& method : kMethodNames)
      out += fmt::format("; {}: {}", method.name, method.help);
  } else if (setting.form == Form::kDetectors) {
    out += fmt::format(", of {}", fmt::join(choices_of(setting), ", "));
  }
  const auto bounds = bounds_of(setting);
  return bounds.empty() ? out : out + ", " + bounds;
}

}  // namespace reveal::settings
