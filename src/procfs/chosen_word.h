// How the kernel shows one choice of several, in brackets: "mq-deadline kyber [none]".
#pragma once

#include <string_view>

namespace reveal::procfs {

// Returns the word in brackets on the first line, or the line's only word if none is ("none");
// empty if the text says neither.
std::string_view chosen_word(std::string_view text);

}  // namespace reveal::procfs
