// The kernel names devices and control groups as it likes; DuckDB takes nothing but UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns `text` where it is UTF-8; else `mended`, filled with it, each byte that is none replaced
// by U+FFFD. No overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
std::string_view as_utf8(std::string_view text, std::string& mended);

}  // namespace reveal::text
