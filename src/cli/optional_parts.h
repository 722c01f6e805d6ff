// The parts of Reveal that a build or a host may lack; it works without any of them.
#pragma once

#include <string>
#include <vector>

namespace reveal::cli {

struct OptionalPart {
  const char* key;
  const char* name;
  const char* state;    // "built in", "here", "missing", or "not tried"
  std::string purpose;  // what it is for
  std::string version;
  std::string trouble;  // of what is missing, why and what to do

  bool missing() const;
  const std::string& note() const;  // for people: the trouble, else the purpose
};

// Returns all of them, and loads those that are libraries, but not a driver's: a driver in trouble
// keeps whoever loads its library.
std::vector<OptionalPart> optional_parts();

}  // namespace reveal::cli
