// What is known of an option besides how to take it: what --help, manual pages and completion say.
#pragma once

#include <string>
#include <vector>

namespace reveal::cli {

struct OptionRow {
  std::string names;        // "-o,--output"; of a positional its placeholder, such as "DIR"
  std::string placeholder;  // what stands for its value; empty: a flag
  std::string help;
  std::string shown_default;         // as people would type it; empty: none
  std::string heading = "Options";   // what --help lists it under
  std::vector<std::string> choices;  // the words that it takes; empty: any
  bool required = false;
  bool repeats = false;  // can be given again, or is followed by several words

  bool is_flag() const { return placeholder.empty(); }
  bool is_positional() const { return !names.starts_with('-'); }
  // Returns the long name, or the only one: "--output".
  std::string name() const { return names.substr(names.rfind(',') + 1); }
};

}  // namespace reveal::cli
