// The command line: the words before "--" are reveal's, those after it are CMD,
// unchanged.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace reveal::cli {

struct Invocation {
  std::vector<std::string> words;                   // reveal's own, without the program's name
  std::optional<std::vector<std::string>> command;  // CMD; absent without "--"
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

// Splits at the first "--".
Invocation split(int argc, const char* const* argv);

}  // namespace reveal::cli
