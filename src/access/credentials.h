// What a client says to prove who it is: the value of an Authorization header.
//
// Source: RFC 9110, section 11.6.2; Basic: RFC 7617; Bearer: RFC 6750, section 2.1.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace reveal::access {

struct Password {
  std::string name;
  std::string secret;
};

struct Token {
  std::string secret;
};

// Neither: the header is absent, of another kind, or malformed.
using Credentials = std::variant<std::monostate, Password, Token>;

// A name or a password with a control character is not well formed.
Credentials parse_credentials(std::string_view header);

}  // namespace reveal::access
