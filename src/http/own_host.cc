#include "http/own_host.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "http/ip_address.h"

namespace reveal::http {
namespace {

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns the host without its port, and an IPv6 address without brackets; nothing if it is neither
// a name nor an address.
std::optional<std::string_view> without_port(std::string_view host) {
  std::string_view rest;
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    if (end == std::string_view::npos) return {};
    rest = host.substr(end + 1);
    host = host.substr(1, end - 1);
    if (host.find(':') == std::string_view::npos) return {};
  } else if (const auto colon = host.find(':'); colon != std::string_view::npos) {
    rest = host.substr(colon);
    host = host.substr(0, colon);
  }
  if (!rest.empty() && !(rest.front() == ':' && is_port(rest.substr(1)))) return {};
  return host;
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Source: RFC 9525, section 6.3.
bool is_named(std::string_view host, std::string_view name) {
  if (is_same_address(host, name)) return true;
  if (!name.starts_with("*.")) return is_same_name(host, name);
  const auto dot = host.find('.');
  return dot != std::string_view::npos && dot > 0 && is_same_name(host.substr(dot), name.substr(1));
}

}  // namespace

bool is_own_host(std::string_view host, std::string_view local_address,
                 std::span<const std::string> names) {
  const auto bare = without_port(host);
  if (!bare || bare->empty()) return false;
  if (is_same_name(*bare, "localhost") || is_loopback(*bare)) return true;
  if (is_same_address(*bare, local_address)) return true;
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& name) { return is_named(*bare, name); });
}

}  // namespace reveal::http
