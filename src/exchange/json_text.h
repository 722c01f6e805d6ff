// Texts as JSON has them.
#pragma once

#include <string>
#include <string_view>

namespace reveal::exchange {

// Returns `text` quoted and escaped; each byte that is no UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

}  // namespace reveal::exchange
