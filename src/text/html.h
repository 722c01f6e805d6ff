// Text in HTML pages.
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns the text, inert (safe_text.h), for the content of an element or a quoted attribute.
std::string html(std::string_view text);

}  // namespace reveal::text
