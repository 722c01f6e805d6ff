// A command as plain values: all that is known of it besides how to run it. --help, manual pages
// and the completion of shells are made of these rows alone, so that none of them can lack what
// another has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reveal::manual {

// What stands for a value also says what it is: DIR is a directory, FILE a file, PATH either, NAMES
// several words with commas between.
struct OptionRow {
  std::string names = {};        // "-o,--output"; of a positional its placeholder, such as "DIR"
  std::string placeholder = {};  // what stands for its value; empty: a flag
  std::string help = {};
  std::string shown_default = {};             // as people would type it; empty: none
  std::string heading = "Options";            // what --help lists it under
  std::vector<std::string> choices = {};      // the words that it takes; empty: any
  std::vector<std::string> suggestions = {};  // words that it takes among others
  bool required = false;
  bool repeats = false;  // can be given again, or is followed by several words

  bool is_flag() const { return placeholder.empty(); }
  bool is_positional() const { return !names.starts_with('-'); }
  // Returns the long name, or the only one: "--output".
  std::string name() const { return names.substr(names.rfind(',') + 1); }
  // Returns each of its names: "-o" and "--output".
  std::vector<std::string> all_names() const;
  // Returns the words that can be offered for its value.
  const std::vector<std::string>& words() const { return choices.empty() ? suggestions : choices; }
  bool takes_directories() const;
  bool takes_files() const;  // and directories, on the way to them
  bool takes_list() const;   // of words()
};

struct CommandRow {
  std::string name = {};  // "save"
  std::string path = {};  // "reveal baseline save"
  std::string summary = {};
  std::string listed_under = {};  // the heading in --help of what it belongs to; empty: nowhere
  std::string footer = {};        // text below the options
  bool takes_command = false;     // accepts "-- CMD..."
  std::vector<OptionRow> options = {};  // in the order of --help, which is among them
  std::vector<CommandRow> subcommands = {};

  bool hidden() const { return listed_under.empty(); }
};

// Returns how the command is called: "reveal record --output DIR [OPTIONS]".
std::string usage(const CommandRow& command);

// Returns what is said of an option: its help, the words that it takes, and its default.
std::string option_text(const OptionRow& row);

// A heading, and what is listed under it.
struct Section {
  std::string heading = {};
  std::vector<const CommandRow*> commands;
  std::vector<const OptionRow*> options;
};

// Returns the sections of --help, in order. They point into `command`; hidden subcommands are left
// out.
std::vector<Section> sections_of(const CommandRow& command);

}  // namespace reveal::manual
