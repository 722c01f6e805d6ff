// Known patterns in the differences of a host, from the same table that explains findings.
#pragma once

#include <span>
#include <vector>

#include "attribute/patterns.h"
#include "fleet/difference.h"

namespace reveal::fleet {

// A pattern all of whose signs are among the differences of one host.
struct RecognizedPattern {
  const attribute::Pattern* pattern = nullptr;
  std::vector<std::string> channels;  // of its signs
};

// Returns the patterns of one host's differences that nothing in them argues against.
// `window_s` is the length of a window, in which signs count events.
std::vector<RecognizedPattern> recognize(std::span<const Difference> differences, double window_s);

}  // namespace reveal::fleet
