#include "cli/option_help.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reveal::cli {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 28;  // of what an option is for

// What is listed under one heading: a name, and what it is for.
struct Section {
  std::string heading;
  std::vector<std::pair<std::string, std::string>> entries;
};

Section& section_of(std::vector<Section>& sections, const std::string& heading) {
  for (auto& section : sections) {
    if (section.heading == heading) return section;
  }
  return sections.emplace_back(Section{heading, {}});
}

// Appends the words of `text` to a line that has `column` columns already; further lines begin at
// `indent`.
void append_wrapped(std::string& out, std::string_view text, std::size_t column,
                    std::size_t indent) {
  bool first = true;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!first && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    column += word.size() + (first ? 0 : 1);
    first = false;
  }
  out += '\n';
}

void append_entry(std::string& out, const std::string& name, const std::string& help) {
  std::string line = "  " + name;
  const bool fits = line.size() + 2 <= kIndent;
  out += line;
  out += fits ? std::string(kIndent - line.size(), ' ') : "\n" + std::string(kIndent, ' ');
  append_wrapped(out, help, kIndent, kIndent);
}

// "-o, --output FILE"; long names stand below one another.
std::string shown_name(const OptionRow& row) {
  if (row.is_positional()) return row.names;
  const auto comma = row.names.find(',');
  std::string out = comma == std::string::npos
                        ? "    " + row.names
                        : row.names.substr(0, comma) + ", " + row.names.substr(comma + 1);
  if (!row.is_flag()) out += " " + row.placeholder;
  return out;
}

// Returns "a, b" for "a,b": a long list is to be cut between its words.
std::string with_blanks(std::string_view list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    out += list[i];
    if (list[i] == ',' && i + 1 < list.size() && list[i + 1] != ' ') out += ' ';
  }
  return out;
}

std::string shown_help(const OptionRow& row) {
  std::string out = row.help;
  const bool names_them = !row.choices.empty() && out.find(row.choices.back()) != std::string::npos;
  if (!row.choices.empty() && !names_them) out += fmt::format(": {}", fmt::join(row.choices, ", "));
  if (row.required && !row.is_positional()) out += " (required)";
  if (!row.shown_default.empty()) {
    out += fmt::format(" (default: {})", with_blanks(row.shown_default));
  }
  return out;
}

std::string usage(const OptionSet& options) {
  std::string out = "Usage: " + options.path();
  if (!options.subcommands().empty()) return out + " SUBCOMMAND [OPTIONS]";
  for (const auto& option : options.options()) {
    const auto& row = option->row();
    if (row.required && !row.is_positional())
      out += fmt::format(" {} {}", row.name(), row.placeholder);
  }
  out += " [OPTIONS]";
  for (const auto& option : options.options()) {
    const auto& row = option->row();
    if (!row.is_positional()) continue;
    const std::string word = row.names + (row.repeats && !row.names.ends_with('.') &&
                                                  row.names.find(' ') == std::string::npos
                                              ? "..."
                                              : "");
    out += row.required ? " " + word : " [" + word + "]";
  }
  return out;
}

std::vector<Section> sections_of(const OptionSet& options) {
  std::vector<Section> out;
  for (const auto& one : options.subcommands()) {
    if (one->hidden()) continue;
    section_of(out, one->listed_under()).entries.emplace_back(one->name(), one->summary());
  }
  for (const auto& option : options.options()) {
    const auto& row = option->row();
    const auto& heading = row.is_positional() ? "Arguments" : row.heading;
    section_of(out, heading).entries.emplace_back(shown_name(row), shown_help(row));
  }
  auto& own = section_of(out, "Options").entries;
  own.emplace_back("-h, --help", "print this help");
  if (options.parent() == nullptr) own.emplace_back("-V, --version", "print the version");
  return out;
}

}  // namespace

std::string help_text(const OptionSet& options) {
  std::string out = usage(options) + "\n\n";
  append_wrapped(out, options.summary(), 0, 0);
  for (const auto& section : sections_of(options)) {
    out += "\n" + section.heading + ":\n";
    for (const auto& [name, help] : section.entries) append_entry(out, name, help);
  }
  if (!options.footer().empty()) out += "\n" + options.footer();
  return out;
}

}  // namespace reveal::cli
