// What the command line said: the words before "--" are reveal's, those after it are CMD, taken as
// they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reveal::cli {

struct Invocation {
  std::vector<std::string> words;                   // reveal's own, without the program's name
  std::optional<std::vector<std::string>> command;  // CMD; absent without "--"
};

// Splits at the first "--".
Invocation split(int argc, const char* const* argv);

}  // namespace reveal::cli
