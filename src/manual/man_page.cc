#include "manual/man_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "text/words.h"

namespace reveal::manual {
namespace {

constexpr std::string_view kStatuses = "0 done, 1 failed, 2 wrong usage, 3 too little recorded.\n";

// Text that roff leaves as it is. A hyphen becomes one that can be copied into a shell.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out;
}

// The same as a line of its own, which a dot at its begin would make a request.
std::string line(std::string_view text) {
  return (text.starts_with('.') ? "\\&" : "") + plain(text) + "\n";
}

// As a sentence: it begins with a capital and ends with a full stop.
std::string sentence(std::string_view text) {
  std::string out(text);
  if (out.empty()) return out;
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  if (!out.ends_with('.')) out += '.';
  return line(out);
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", plain(text));
}

// "reveal record" in bold, and what follows it as it is.
std::string synopsis(const CommandRow& command) {
  const auto all = usage(command);
  return bold(command.path) + plain(all.substr(command.path.size())) + "\n";
}

std::string option_entry(const OptionRow& row) {
  std::string names;
  for (const auto& name : row.all_names()) names += (names.empty() ? "" : ", ") + bold(name);
  if (row.is_positional()) names = fmt::format("\\fI{}\\fR", plain(row.names));
  if (!row.is_flag() && !row.is_positional()) {
    names += fmt::format(" \\fI{}\\fR", plain(row.placeholder));
  }
  return ".TP\n" + names + "\n" + line(option_text(row));
}

std::string command_entry(const CommandRow& program, const CommandRow& command) {
  // Those of a command's own are further down in its page.
  const bool has_page = command.path == program.path + " " + command.name;
  const auto shown = has_page ? bold(page_name(command)) + "(1)" : bold(command.path);
  return ".TP\n" + shown + "\n" + line(command.summary);
}

std::string sections_text(const CommandRow& program, const CommandRow& command,
                          std::string_view macro) {
  std::string out;
  for (const auto& section : sections_of(command)) {
    const auto heading = macro == ".SH" ? text::upper(section.heading) : section.heading;
    out += fmt::format("{} \"{}\"\n", macro, plain(heading));
    for (const auto* one : section.commands) out += command_entry(program, *one);
    for (const auto* row : section.options) out += option_entry(*row);
  }
  return out;
}

// What a command's own subcommands do, and their options.
std::string parts_text(const CommandRow& program, const CommandRow& command) {
  std::string out;
  if (&command == &program) return out;
  for (const auto& part : command.subcommands) {
    out += fmt::format(".SH \"{}\"\n", plain(text::upper(part.path)));
    out += synopsis(part) + ".PP\n" + sentence(part.summary);
    out += sections_text(program, part, ".SS");
  }
  return out;
}

std::string see_also(const CommandRow& program, const CommandRow& command) {
  std::string out = ".SH \"SEE ALSO\"\n";
  std::string names;
  const auto add = [&](const CommandRow& other) {
    names += fmt::format("{}{}(1)", names.empty() ? "" : ",\n", bold(page_name(other)));
  };
  if (&command != &program) add(program);
  for (const auto& one : program.subcommands) {
    const bool akin = &command == &program || one.listed_under == command.listed_under;
    if (&one != &command && !one.hidden() && akin) add(one);
  }
  return out + names + "\n";
}

// The lines of a footer, each of which ends as it does.
std::string lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    out += line(one);
  }
  return out;
}

}  // namespace

std::string page_name(const CommandRow& command) {
  std::string out = command.path;
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

std::string man_page(const CommandRow& program, const CommandRow& command, const PageFacts& facts) {
  const auto name = page_name(command);
  std::string out = fmt::format(".TH {} 1 \"{}\" \"Reveal {}\" \"Reveal\"\n",
                                plain(text::upper(name)), facts.date, plain(facts.version));
  // A line of a page is broken between words alone, and never filled with blanks.
  out += ".nh\n.ad l\n";
  out += fmt::format(".SH NAME\n{} \\- {}", plain(name), line(command.summary));
  out += ".SH SYNOPSIS\n" + synopsis(command);
  out += ".SH DESCRIPTION\n" + sentence(command.summary);
  out += sections_text(program, command, ".SH") + parts_text(program, command);
  out += ".SH \"EXIT STATUS\"\n";
  out += lines(command.footer.empty() ? kStatuses : std::string_view(command.footer));
  out += fmt::format(".SH FILES\n.TP\n\\fI{}\\fR\nSettings for what no option sets.\n",
                     plain(facts.settings));
  out += fmt::format(".TP\n\\fI{}\\fR\nREADME.md, and the documents that this page calls docs/.\n",
                     plain(facts.documents));
  return out + see_also(program, command);
}

}  // namespace reveal::manual
