// Numbers that the kernel writes with two decimals, such as "0.93": kept as whole hundredths, so
// that a sample stays exact and a metric's scale says what it is worth.
#pragma once

#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// Returns 93 for "0.93"; nothing for a word of any other shape.
Value parse_hundredths(std::string_view word);

}  // namespace reveal::procfs
