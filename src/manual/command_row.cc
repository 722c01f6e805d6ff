#include "manual/command_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reveal::manual {
namespace {

// Returns "a, b" for "a,b": a long list is to be cut between its words.
std::string with_blanks(std::string_view list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    out += list[i];
    if (list[i] == ',' && i + 1 < list.size() && list[i + 1] != ' ') out += ' ';
  }
  return out;
}

Section& section_of(std::vector<Section>& sections, const std::string& heading) {
  for (auto& section : sections) {
    if (section.heading == heading) return section;
  }
  return sections.emplace_back(Section{heading, {}, {}});
}

bool names_kind(const OptionRow& row, std::string_view kind) {
  return row.placeholder.find(kind) != std::string::npos;
}

// "DIR", "[DIR]" or "DIR..."
std::string place_text(const OptionRow& row) {
  const bool says_so = row.names.ends_with('.') || row.names.find(' ') != std::string::npos;
  const std::string word = row.names + (row.repeats && !says_so ? "..." : "");
  return row.required ? word : "[" + word + "]";
}

}  // namespace

std::vector<std::string> OptionRow::all_names() const {
  std::vector<std::string> out;
  std::string_view rest = names;
  while (!rest.empty()) {
    const auto one = rest.substr(0, rest.find(','));
    out.emplace_back(one);
    rest.remove_prefix(one.size() + (one.size() < rest.size() ? 1 : 0));
  }
  return out;
}

bool OptionRow::takes_directories() const {
  return names_kind(*this, "DIR");
}

bool OptionRow::takes_files() const {
  return names_kind(*this, "FILE") || names_kind(*this, "PATH");
}

bool OptionRow::takes_list() const {
  return placeholder == "NAMES";
}

std::string usage(const CommandRow& command) {
  std::string out = command.path;
  if (!command.subcommands.empty()) return out + " SUBCOMMAND [OPTIONS]";
  for (const auto& row : command.options) {
    if (row.required && !row.is_positional()) {
      out += fmt::format(" {} {}", row.name(), row.placeholder);
    }
  }
  out += " [OPTIONS]";
  for (const auto& row : command.options) {
    if (row.is_positional()) out += " " + place_text(row);
  }
  return command.takes_command ? out + " [-- CMD...]" : out;
}

std::string option_text(const OptionRow& row) {
  std::string out = row.help;
  const bool names_them = !row.choices.empty() && out.find(row.choices.back()) != std::string::npos;
  if (!row.choices.empty() && !names_them) out += fmt::format(": {}", fmt::join(row.choices, ", "));
  if (row.required && !row.is_positional()) out += " (required)";
  if (!row.shown_default.empty()) {
    out += fmt::format(" (default: {})", with_blanks(row.shown_default));
  }
  return out;
}

std::vector<Section> sections_of(const CommandRow& command) {
  std::vector<Section> out;
  for (const auto& one : command.subcommands) {
    if (!one.hidden()) section_of(out, one.listed_under).commands.push_back(&one);
  }
  for (const auto& row : command.options) {
    const std::string& heading = row.is_positional() ? "Arguments" : row.heading;
    section_of(out, heading).options.push_back(&row);
  }
  return out;
}

}  // namespace reveal::manual
