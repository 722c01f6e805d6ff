// The result of a study as one HTML file: its pictures and its tables, without a script and without
// anything from a network.
#pragma once

#include <string>

#include "study/result.h"

namespace reveal::study {

std::string to_page(const Result& result);

}  // namespace reveal::study
