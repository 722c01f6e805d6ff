#include "settings/file.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "base/whole_file.h"
#include "settings/joined_text.h"
#include "settings/probes.h"
#include "settings/receivers.h"
#include "settings/toml_errors.h"
#include "text/bounded_number.h"

namespace reveal::settings {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

// What people write a value of that setting as.
std::string example_of(const Setting& setting) {
  const Settings usual;
  Settings copy;
  const auto slot = setting.slot(copy);
  if (std::holds_alternative<std::vector<std::string>*>(slot)) {
    return R"(a name or a list of names, such as "default" or ["mean", "range"])";
  }
  if (std::holds_alternative<std::optional<window::Length>*>(slot)) {
    return R"(a time, such as "3s", or a whole number of ticks)";
  }
  if (std::holds_alternative<detect::Threshold*>(slot)) return R"(a number, "auto" or "off")";
  if (std::holds_alternative<FreeSpace*>(slot)) {
    return R"(a size, such as "2GiB", a share of the disk, such as "10%", or "auto")";
  }
  if (std::holds_alternative<std::int64_t*>(slot)) {
    const auto bounds = bounds_of(setting);
    return fmt::format("a time{}{}, such as \"10s\"", bounds.empty() ? "" : " ", bounds);
  }
  if (std::holds_alternative<bool*>(slot)) return R"(true or false, or "on" or "off")";
  if (setting.form == Form::kBytes) return "a size, such as \"10GiB\"";
  if (std::holds_alternative<std::string*>(slot)) {
    const auto text = text_of(setting, usual);
    return text.empty() ? "a text" : fmt::format("a text, such as \"{}\"", text);
  }
  return fmt::format("a number{}{}", bounds_of(setting).empty() ? "" : " ", bounds_of(setting));
}

// Whether a value of that setting is written as a number, as text, or as either.
bool takes_number(const Setting& setting) {
  Settings copy;
  const auto slot = setting.slot(copy);
  return !std::holds_alternative<bool*>(slot) && !std::holds_alternative<std::int64_t*>(slot) &&
         !std::holds_alternative<std::string*>(slot) &&
         !std::holds_alternative<std::vector<std::string>*>(slot) && setting.form != Form::kBytes;
}

bool takes_text(const Setting& setting) {
  Settings copy;
  const auto slot = setting.slot(copy);
  return !takes_number(setting) || std::holds_alternative<detect::Threshold*>(slot) ||
         std::holds_alternative<std::optional<window::Length>*>(slot) ||
         std::holds_alternative<FreeSpace*>(slot);
}

bool takes_switch(const Setting& setting) {
  Settings copy;
  return std::holds_alternative<bool*>(setting.slot(copy));
}

bool takes_list(const Setting& setting) {
  Settings copy;
  return std::holds_alternative<std::vector<std::string>*>(setting.slot(copy));
}

// Returns what a flag would have for the value.
Result<std::string> text_from(const toml::node& node, const Setting& setting,
                              const std::string& where) {
  if (node.is_string() && takes_text(setting)) return *node.value<std::string>();
  if (node.is_boolean() && takes_switch(setting)) return *node.value<bool>() ? "on" : "off";
  if (node.is_integer() && takes_number(setting)) {
    return text::number_text(*node.value<std::int64_t>());
  }
  if (node.is_floating_point() && takes_number(setting)) {
    return text::number_text(*node.value<double>());
  }
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || !takes_list(setting)) {
    return at("must be " + example_of(setting), where, node);
  }
  std::vector<std::string> names;
  for (const auto& element : *list) {
    const auto name = element.value<std::string>();
    if (!name) return at("must be a name", where, element);
    names.push_back(*name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

using Mistakes = std::vector<base::Error>;

void note(const Result<void>& done, Mistakes& mistakes) {
  if (!done) mistakes.push_back(done.error());
}

void read_poll_classes(const toml::node& node, const std::string& where, Given& given,
                       Mistakes& mistakes) {
  const auto* poll_classes = node.as_table();
  if (poll_classes == nullptr) {
    return note(at("must be a table: [collect.poll_classes]", where, node), mistakes);
  }
  for (const auto& [collector, value] : *poll_classes) {
    const auto word = value.value<std::string>().value_or("");
    if (auto known = given.poll_class_by_file(std::string(collector.str()), word); !known) {
      note(at(known.error().where + " " + known.error().what, where, value), mistakes);
    }
  }
}

Result<void> read_setting(const Setting& setting, const toml::node& node, const std::string& where,
                          Given& given) {
  const auto text = text_from(node, setting, where);
  if (!text) return base::pass(text);
  const auto stands = place(where, node.source());
  return given.by_file(setting, *text, stands).map_error([&](base::Error error) {
    error.where = fmt::format("{}: {} {}", stands, setting.key, error.where);
    return error;
  });
}

// Returns the names of the tables in the table of a section.
std::vector<std::string> sections_in(std::string_view section) {
  std::vector<std::string> out;
  const auto beginning = fmt::format("{}.", section);
  for (const auto& row : all_settings()) {
    if (!row.section.starts_with(beginning)) continue;
    const auto name = row.section.substr(beginning.size());
    if (out.empty() || out.back() != name) out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> keys_in(std::string_view section) {
  std::vector<std::string> out;
  for (const auto& row : settings_of(section)) out.emplace_back(row.key);
  for (const auto& name : sections_in(section)) out.push_back(name);
  if (section == "collect") out.emplace_back("poll_classes");
  if (section == "alerts") out.insert(out.end(), receiver_kinds().begin(), receiver_kinds().end());
  if (section == "probes") out.insert(out.end(), kProbeTables.begin(), kProbeTables.end());
  return out;
}

void read_section(std::string_view section, const toml::table& table, const std::string& where,
                  Given& given, Mistakes& mistakes);

// Reads a table in the table of a section: [web.tls] is `name` "tls" in "web".
void read_table(std::string_view section, std::string_view name, const toml::node& node,
                const std::string& where, Given& given, Mistakes& mistakes) {
  const auto whole = fmt::format("{}.{}", section, name);
  const auto* table = node.as_table();
  if (table == nullptr) {
    return note(at(fmt::format("must be a table: [{}]", whole), where, node), mistakes);
  }
  read_section(whole, *table, where, given, mistakes);
}

void read_section(std::string_view section, const toml::table& table, const std::string& where,
                  Given& given, Mistakes& mistakes) {
  const auto tables = sections_in(section);
  const bool has_poll_classes = section == "collect";
  for (const auto& [key, node] : table) {
    const auto* setting = find_setting(section, key.str());
    if (setting != nullptr) {
      note(read_setting(*setting, node, where, given), mistakes);
    } else if (std::find(tables.begin(), tables.end(), key.str()) != tables.end()) {
      read_table(section, key.str(), node, where, given, mistakes);
    } else if (has_poll_classes && key == "poll_classes") {
      read_poll_classes(node, where, given, mistakes);
    } else if (section == "alerts" && is_receiver_kind(key.str())) {
      note(read_receivers(key.str(), node, where, given), mistakes);
    } else if (section == "probes" && is_probe_table(key.str())) {
      note(read_probes(key.str(), node, where, given), mistakes);
    } else {
      note(unknown(key, where, keys_in(section)), mistakes);
    }
  }
}

void read_document(const toml::table& document, const std::string& where, Given& given,
                   Mistakes& mistakes) {
  for (const auto& [key, node] : document) {
    const auto* section = node.as_table();
    if (section != nullptr && !settings_of(key.str()).empty()) {
      read_section(key.str(), *section, where, given, mistakes);
      continue;
    }
    std::vector<std::string> known;
    for (const auto& row : all_settings()) {
      const auto name = fmt::format("[{}]", row.section);
      if (known.empty() || known.back() != name) known.push_back(name);
    }
    note(unknown(key, where, known), mistakes);
  }
}

// Returns the line that place() has put into an error; 0 if there is none.
std::uint64_t line_of(const base::Error& error, const std::string& file) {
  const auto before = file + ", line ";
  if (!error.where.starts_with(before)) return 0;
  const auto text = std::string_view(error.where).substr(before.size());
  const auto digits = text.substr(0, text.find_first_not_of("0123456789"));
  return text::count_within(digits, 0, kMaxFileBytes).value_or(0);
}

Mistakes read_file(const FileText& file, Given& given) {
  Mistakes out;
  try {
    read_document(toml::parse(file.text), file.name, given, out);
  } catch (const toml::parse_error& error) {
    note(base::fail(ErrorKind::kUsage, std::string(error.description()),
                    place(file.name, error.source())),
         out);
  }
  // Tables have their keys by name.
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
    return line_of(a, file.name) < line_of(b, file.name);
  });
  return out;
}

Result<FileText> read_text(const std::filesystem::path& file, const char* remedy) {
  auto text = base::read_whole_file(file, "configuration", kMaxFileBytes);
  if (text && text->find('\0') == std::string::npos) return FileText{file.string(), *text};
  if (text) return base::fail(ErrorKind::kUsage, "is not a text: it has a NUL", file.string());
  base::Error error = text.error();
  error.kind = ErrorKind::kUsage;
  error.remedy = remedy;
  return base::Unexpected(std::move(error));
}

// Returns the names in the folder beside `file`, in order.
Result<std::vector<std::filesystem::path>> further_files(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> out;
  const auto folder = file.parent_path() / kFurtherFolder;
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed) && !failed) return out;
  std::filesystem::directory_iterator it(folder, failed);
  for (const std::filesystem::directory_iterator end; !failed && it != end; it.increment(failed)) {
    const auto& path = it->path();
    const bool is_hidden = path.filename().string().starts_with('.');
    if (path.extension() == ".toml" && !is_hidden) out.push_back(path);
  }
  if (failed) {
    return base::fail(ErrorKind::kUsage,
                      fmt::format("cannot list the folder: {}", failed.message()), folder.string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<base::Error> read_all_settings(std::string_view text, const std::string& where,
                                           Given& given) {
  Mistakes out;
  for (const auto& file : parted_text(text, where)) {
    auto mistakes = read_file(file, given);
    std::move(mistakes.begin(), mistakes.end(), std::back_inserter(out));
  }
  return out;
}

Result<void> read_settings(std::string_view text, const std::string& where, Given& given) {
  auto mistakes = read_all_settings(text, where, given);
  if (mistakes.empty()) return {};
  return base::Unexpected(std::move(mistakes.front()));
}

std::string name_of(const std::filesystem::path& path) {
  return path.empty() ? kSystemFile : path.string();
}

Result<std::string> text_of_file(const std::filesystem::path& path) {
  const std::filesystem::path file = name_of(path);
  std::vector<FileText> files{{file.string(), ""}};
  std::error_code ignored;
  if (!path.empty() || std::filesystem::exists(file, ignored)) {
    auto text = read_text(file, "check --config");
    if (!text) return base::pass(text);
    files.front() = std::move(*text);
  }
  const auto further = further_files(file);
  if (!further) return base::pass(further);
  for (const auto& one : *further) {
    auto text = read_text(one, "remove it, or let it be read");
    if (!text) return base::pass(text);
    files.push_back(std::move(*text));
  }
  return joined_text(files);
}

Result<void> load_settings(const std::filesystem::path& path, Given& given) {
  const auto text = text_of_file(path);
  return text ? read_settings(*text, name_of(path), given) : base::pass(text);
}

}  // namespace reveal::settings
