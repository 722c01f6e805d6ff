// The result of a study as a person reads it on a terminal.
#pragma once

#include <string>

#include "study/result.h"

namespace reveal::study {

// Returns its recordings, its tables with aligned columns, and its notes. Names from elsewhere are
// as they are: print it as text::SafeText.
std::string to_text(const Result& result);
// Returns a table below an empty line and its title.
std::string to_text(const Table& table);

}  // namespace reveal::study
