#include "http/ip_address.h"

#include <array>
#include <cstring>
#include <optional>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace reveal::http {
namespace {

// An IPv4 address as the IPv6 address that stands for it, so that both compare alike.
using AddressBytes = std::array<unsigned char, 16>;

constexpr AddressBytes kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
constexpr AddressBytes kLoopback6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

std::optional<AddressBytes> bytes_of(std::string_view text) {
  const std::string terminated(text);
  if (terminated.find('\0') != std::string::npos) return {};
  AddressBytes out = kMapped;
  if (inet_pton(AF_INET, terminated.c_str(), &out[12]) == 1) return out;
  if (inet_pton(AF_INET6, terminated.c_str(), out.data()) == 1) return out;
  return {};
}

}  // namespace

bool is_ip_address(std::string_view text) {
  return bytes_of(text).has_value();
}

bool is_loopback(std::string_view text) {
  const auto bytes = bytes_of(text);
  if (!bytes) return false;
  const bool mapped = std::memcmp(bytes->data(), kMapped.data(), 12) == 0;
  return *bytes == kLoopback6 || (mapped && (*bytes)[12] == 127);
}

bool is_same_address(std::string_view a, std::string_view b) {
  const auto first = bytes_of(a);
  return first && first == bytes_of(b);
}

std::string address_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> out{};
  const void* bytes = nullptr;
  if (address.ss_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  } else if (address.ss_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  }
  if (bytes == nullptr) return {};
  inet_ntop(address.ss_family, bytes, out.data(), out.size());
  return out.data();
}

}  // namespace reveal::http
