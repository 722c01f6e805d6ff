// Words in the texts for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns "1 window" or "7 windows". REQUIRES: a noun whose plural ends in s.
std::string plural(std::size_t count, std::string_view noun);

// Returns the word in capitals; what is not ASCII stays.
std::string upper(std::string_view word);

}  // namespace reveal::text
