// Addresses of hosts as text. Only the full forms count: 127.1 and 0x7f000001 are names.
#pragma once

#include <string>
#include <string_view>

#include <sys/socket.h>

namespace reveal::http {

// Returns whether it is an IPv4 or IPv6 address.
bool is_ip_address(std::string_view text);

// Returns whether it is an address of the loopback: 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view text);

// Returns whether both are addresses and the same one.
bool is_same_address(std::string_view a, std::string_view b);

// Returns the address of a socket's end, without port and brackets; empty if it has none.
std::string address_text(const sockaddr_storage& address);

}  // namespace reveal::http
