// The passwords that were found right lately, so that a client that asks again and again costs one
// check. It has no password: what it holds is sealed (hashing.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "access/who.h"

namespace reveal::access {

// For one thread.
class Verified {
 public:
  // REQUIRES: `most` is at least 1.
  explicit Verified(std::size_t most) : most_(most) {}

  // Returns whose sealed password it is, if it is known; then it is the one used last.
  std::optional<Who> find(const std::string& sealed);
  // Takes in one, in the place of the one that was not used for longest if there are `most`. An
  // empty text is not taken.
  void add(const std::string& sealed, Who who);
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::string sealed;
    Who who;
  };

  std::size_t most_;
  std::vector<Entry> entries_;  // the one used last is the first
};

}  // namespace reveal::access
