// The page at "/": state and open findings as a list, without script, style or any other resource.
#pragma once

#include <cstdint>
#include <string>

#include "serve/state_board.h"

namespace reveal::serve {

// The page has so many open findings; it counts the others.
inline constexpr std::size_t kMostListedFindings = 100;

// Returns the page. Text from elsewhere is inert in it. `wall_ns` is now.
std::string front_page(const Published& published, std::int64_t wall_ns);

}  // namespace reveal::serve
