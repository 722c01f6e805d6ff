// The options of the program and of each subcommand. This is all that a cmd_*.cc knows of the
// command line: the library that reads the words is behind it, in option_set.cc alone.
//
//   options.value("DIR", directory, "directory of the recording").required();
//   options.number("--top", top, {0, 1000}, "how many sources to list");
//   options.flag("--json", json, "print JSON");
//
// A reference that is given to a declaration is written while read() reads the words, and only if
// the option is among them; it must live until then. What it holds at the declaration is the
// default, and --help shows it. Text that cannot be a value is an error of kUsage that names the
// option and the text.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "manual/command_row.h"
#include "text/bounded_number.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace reveal::cli {

// An option that has been declared, to say more about it. Lives as long as its set.
class Option {
 public:
  // Without it the command line is wrong.
  Option& required();
  // Its text must be one of these words.
  Option& choices(std::vector<std::string> words);
  // These words are among those that its text may be, or be made of.
  Option& suggests(std::vector<std::string> words);
  Option& suggests(std::string_view list);  // the same as "csv, json"
  // What stands for its value in --help, such as TIME; it says too what completion offers
  // (manual::OptionRow).
  Option& placeholder(std::string_view word);
  // What --help lists it under, if not the heading of its set.
  Option& heading(std::string_view text);
  // What --help shows as its default.
  Option& shows(std::string_view default_value);
  // The two cannot be given together.
  Option& excludes(Option& other);

  const manual::OptionRow& row() const { return row_; }

 private:
  friend class OptionSet;

  manual::OptionRow row_;
  CLI::Option* option_ = nullptr;
};

class OptionSet {
 public:
  // Takes the text of an option. An error's `where` need not name the option.
  using Parse = std::function<base::Result<void>(const std::string& text)>;

  // The program's own. `version` is what --version prints.
  OptionSet(std::string_view name, std::string_view summary, std::string_view version);
  ~OptionSet();
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  // Adds a subcommand, one of which must then be given, under a heading of --help; without a
  // heading, it is hidden. Returns its options, which live as long as these.
  OptionSet& subcommand(std::string_view name, std::string_view summary,
                        std::string_view heading = "Subcommands");
  // Text below the options in --help.
  void footer(std::string_view text) { footer_ = text; }
  // It accepts "-- CMD...".
  void takes_command() { takes_command_ = true; }
  // What --help lists the options under that are declared from here on.
  void heading(std::string_view text) { heading_ = text; }

  // `names` is what people type: "--json", "-q,--quiet", or, without dashes, the place of a word,
  // such as "DIR".
  Option& flag(std::string_view names, bool& value, std::string_view help);
  Option& value(std::string_view names, std::string& value, std::string_view help);
  Option& value(std::string_view names, std::optional<std::string>& value, std::string_view help);
  // Several: a place takes all words that follow, an option one each time that it is given.
  Option& value(std::string_view names, std::vector<std::string>& values, std::string_view help);
  // Calls `parse` with the text.
  Option& parsed(std::string_view names, Parse parse, std::string_view help);
  // A number from `least` to `most`; whole ones for a whole type.
  template <typename Number>
  Option& number(std::string_view names, Number& value, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most, std::string_view help);
  template <typename Number>
  Option& number(std::string_view names, std::optional<Number>& value,
                 std::type_identity_t<Number> least, std::type_identity_t<Number> most,
                 std::string_view help);

  // Reads the words, without the program's name. Fails with kUsage; the error says which --help
  // helps, if it has no other remedy. After a success either wanted_text() is there or chosen() is
  // the subcommand to run.
  base::Result<void> read(const std::vector<std::string>& words);
  // Returns what --help or --version asked for; nothing if neither did.
  const std::optional<std::string>& wanted_text() const { return wanted_text_; }
  // Returns the innermost subcommand that was named; the set itself if none was.
  const OptionSet& chosen() const;

  const std::string& name() const { return name_; }
  bool hidden() const { return listed_under_.empty(); }
  // Returns what it is a subcommand of; null for the program's own.
  const OptionSet* parent() const { return parent_; }
  // Returns the names of this and of those that it is a subcommand of: "reveal baseline save".
  std::string path() const;
  // Returns all that is known of these options and of those of the subcommands.
  manual::CommandRow description() const;

 private:
  explicit OptionSet(OptionSet* parent);

  Option& declare(std::string_view names, std::string_view help);
  Option& add(std::string_view names, std::string_view help, bool repeats, Parse parse);
  OptionSet& root();
  const OptionSet* find(std::string_view name) const;
  base::Result<void> check_subcommands(const std::vector<std::string>& words) const;
  base::Result<void> take(const Option& option, const std::string& text, const Parse& parse);
  base::Unexpected wrong(std::string what, std::string where = {}) const;
  base::Unexpected unexpected(const std::vector<std::string>& words) const;

  std::string name_;
  std::string summary_;
  std::string listed_under_;
  std::string footer_;
  std::string heading_ = "Options";
  bool takes_command_ = false;
  OptionSet* parent_ = nullptr;      // null: the program's own
  std::unique_ptr<CLI::App> owned_;  // of the program's own
  CLI::App* app_ = nullptr;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<OptionSet>> subcommands_;
  std::optional<base::Error> failure_;  // of the root: what a parsing function said
  std::optional<std::string> wanted_text_;
};

template <typename Number>
Option& OptionSet::number(std::string_view names, std::optional<Number>& value,
                          std::type_identity_t<Number> least, std::type_identity_t<Number> most,
                          std::string_view help) {
  const auto parse = [&value, least, most](const std::string& text) -> base::Result<void> {
    const auto number = text::number_within(text, least, most);
    if (!number) return base::pass(number);
    value = *number;
    return {};
  };
  return parsed(names, parse, help).placeholder("N");
}

template <typename Number>
Option& OptionSet::number(std::string_view names, Number& value, std::type_identity_t<Number> least,
                          std::type_identity_t<Number> most, std::string_view help) {
  const auto parse = [&value, least, most](const std::string& text) -> base::Result<void> {
    const auto number = text::number_within(text, least, most);
    if (!number) return base::pass(number);
    value = *number;
    return {};
  };
  return parsed(names, parse, help).placeholder("N").shows(text::number_text(value));
}

}  // namespace reveal::cli
