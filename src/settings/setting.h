// The table of all settings: a row describes a setting completely, and makes its flag, its key in
// reveal.toml, its line in --help, its row in docs/reference/settings.md and its entry in the
// "configuration" of report.json.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "settings/settings.h"

namespace reveal::settings {

// Where the value of a setting lies. The type says how its text is read: std::int64_t a time in ns;
// std::uint64_t a number, or of bytes (Form::kBytes); bool "on" or "off".
using Slot = std::variant<bool*, std::int64_t*, std::uint64_t*, std::uint32_t*, int*, double*,
                          std::optional<double>*, std::string*, std::vector<std::string>*,
                          std::optional<window::Length>*, detect::Threshold*, FreeSpace*>;

// What is more to be said of the text than the type of the value says.
enum class Form : std::uint8_t {
  kPlain,
  kBytes,      // "10GiB"
  kMethod,     // the name of a method
  kFeatures,   // names of features and profiles
  kDetectors,  // names of detectors
  kAddresses,  // any texts
  kWord,       // one of `words`
};

struct Setting {
  std::string_view section;     // of reveal.toml: "web", or of a table in a table, "web.tls"
  std::string_view key;         // in it
  std::string_view flag = {};   // empty: in reveal.toml alone
  std::string_view type;        // what stands for a value in --help and docs: "TIME"
  std::string_view least = {};  // bounds, as people would type them; empty: none but the type's
  std::string_view most = {};
  std::string_view shown_default = {};  // empty: not set
  std::string_view help;
  std::string_view json = {};   // the key in report.json; empty: not there
  std::string_view words = {};  // that it may be, besides what the type says: "auto,off"
  Form form = Form::kPlain;
  Slot (*slot)(Settings& settings);
};

// Returns all rows, by section.
std::span<const Setting> all_settings();
// Returns those of one section.
std::span<const Setting> settings_of(std::string_view section);
// Returns one, or nullptr.
const Setting* find_setting(std::string_view section, std::string_view key);

// Reads the text into the value of that setting. Fails with kUsage, saying what it must be; then
// the value is as it was.
base::Result<void> set(const Setting& setting, const std::string& text, Settings& settings);

// Returns the text that set() would read as this value; empty if it is not set.
std::string text_of(const Setting& setting, const Settings& settings);

// Returns what the value must be, if the type does not say all: "10ms to 60s"; may be empty.
std::string bounds_of(const Setting& setting);

// Returns what --help says: what it is for, with its bounds.
std::string help_of(const Setting& setting);

// Returns the names and words that a value may be, or be made of; empty: none is known.
std::vector<std::string> choices_of(const Setting& setting);

// Returns docs/reference/settings.md.
std::string settings_page();

}  // namespace reveal::settings
