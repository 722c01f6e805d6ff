// Makes text UTF-8: names of devices and control groups may hold any bytes, and DuckDB accepts only
// UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns `text` if it is UTF-8. If not, fills `mended` with it, each invalid byte replaced by
// U+FFFD, and returns that. Overlong forms, surrogates and anything above U+10FFFF are invalid (RFC
// 3629).
std::string_view as_utf8(std::string_view text, std::string& mended);

}  // namespace reveal::text
