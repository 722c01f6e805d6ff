// The page at "/": state and open findings as a list. If the program has a live page, its script
// takes the place of the list; a browser that runs no script shows the list all the same.
#pragma once

#include <cstdint>
#include <string>

#include "serve/state_board.h"

namespace reveal::serve {

// The page has so many open findings; it counts the others.
inline constexpr std::size_t kMostListedFindings = 100;

// Returns the page; `is_live` if /live.js and /live.css are there. Text from elsewhere is inert in
// it. `wall_ns` is now.
std::string front_page(const Published& published, std::int64_t wall_ns, bool is_live = false);

}  // namespace reveal::serve
