// Text in HTML pages.
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns the text, inert (safe_text.h), for the content of an element or a quoted attribute.
std::string html(std::string_view text);

// Returns the same for the content of an element alone: quotes stay.
std::string html_content(std::string_view text);

}  // namespace reveal::text
