// What a saved baseline knows and where it is from, for people.
#pragma once

#include <string>

#include "detect/baseline_file.h"

namespace reveal::report {

// Returns its origin, its size, and the scores of its own windows by detector, as lines.
std::string to_text(const detect::FittedBaseline& baseline);

}  // namespace reveal::report
