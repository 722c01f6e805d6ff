// Text for people on a terminal or in a log that cannot show UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns whether the environment asks for a character set other than UTF-8, by the first of
// LC_ALL, LC_CTYPE and LANG that is not empty: LC_ALL=C does. If none is set, nobody asks.
bool is_ascii_wanted();

// Returns UTF-8 text with each character beyond ASCII as what looks or reads like it ("+-" for a
// plus-minus sign, "#" for a full block), and "?" for what has no such form.
std::string to_ascii(std::string_view text);

}  // namespace reveal::text
