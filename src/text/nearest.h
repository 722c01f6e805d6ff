// Words that people meant when they typed another.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns how many letters must be put in, left out, replaced, or swapped with their neighbor to
// make one of the other.
std::size_t edits_between(std::string_view a, std::string_view b);

// Returns the word that `typed` is most like: it begins it, or few letters differ. Empty if none is
// like it.
std::string_view nearest(std::string_view typed, std::span<const std::string> words);

// Returns "; did you mean <word>?", or nothing.
std::string did_you_mean(std::string_view typed, std::span<const std::string> words);

}  // namespace reveal::text
