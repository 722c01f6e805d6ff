// The words that people meant when they mistyped them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns the number of letters that must be inserted, left out, replaced, or swapped with their
// neighbor to turn one text into the other.
std::size_t edits_between(std::string_view a, std::string_view b);

// Returns the word most similar to `typed`: it begins with `typed`, or few letters differ. Empty if
// there is none.
std::string_view nearest(std::string_view typed, std::span<const std::string> words);

// Returns "; did you mean <word>?", or nothing.
std::string did_you_mean(std::string_view typed, std::span<const std::string> words);

}  // namespace reveal::text
