#include "manual/help.h"

#include <algorithm>
#include <string_view>

namespace reveal::manual {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 28;  // of what an option is for

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

}  // namespace

std::string help_text(const CommandRow& command) {
  std::string out = "Usage: " + usage(command) + "\n\n";
  append_wrapped(out, command.summary, 0, 0);
  for (const auto& section : sections_of(command)) {
    out += "\n" + section.heading + ":\n";
    for (const auto* one : section.commands) append_entry(out, one->name, one->summary);
    for (const auto* row : section.options) append_entry(out, shown_name(*row), option_text(*row));
  }
  if (!command.footer.empty()) out += "\n" + command.footer;
  return out;
}

}  // namespace reveal::manual
