// Whether a request was meant for this server.
//
// A page of the web can let its own name point to 127.0.0.1 and then read, in the visitor's
// browser, what a server there answers (DNS rebinding). Its requests carry that name as their Host,
// so only known names are answered. An address cannot be made to point elsewhere.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reveal::http {

// Returns whether a Host header is localhost, an address of the loopback, the address at which the
// connection arrived, or one of `names`, with or without a port. A name may be an address, or begin
// with "*.", which stands for one label. `local_address` is without a port and without brackets.
// The case of letters does not matter.
bool is_own_host(std::string_view host, std::string_view local_address,
                 std::span<const std::string> names);

}  // namespace reveal::http
