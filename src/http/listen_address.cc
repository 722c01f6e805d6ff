#include "http/listen_address.h"

#include <optional>

#include <sys/un.h>

#include "http/ip_address.h"
#include "text/parse_number.h"

namespace reveal::http {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr const char* kForms = "write ADDRESS:PORT, such as 127.0.0.1:7383, or unix:/PATH";

base::Result<ListenAddress> parse_socket(std::string_view text) {
  const auto path = text.substr(kUnix.size());
  if (!path.starts_with('/')) {
    return base::fail(base::ErrorKind::kUsage, "the path of the socket does not begin with /",
                      std::string(text), kForms);
  }
  // The path ends with a NUL in the kernel's structure. Source: unix(7).
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return base::fail(base::ErrorKind::kUsage, "the path of the socket has more than 107 bytes",
                      std::string(text), "use a shorter one");
  }
  return ListenAddress{.socket_path = std::string(path)};
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  const auto port = text::parse_u64(text);
  if (!port || *port > 65535) return {};
  return static_cast<std::uint16_t>(*port);
}

}  // namespace

std::string ListenAddress::text() const {
  if (!socket_path.empty()) return std::string(kUnix) + socket_path;
  const bool is_v6 = ip.find(':') != std::string::npos;
  return (is_v6 ? "[" + ip + "]" : ip) + ":" + std::to_string(port);
}

base::Result<ListenAddress> parse_listen_address(std::string_view text) {
  if (text.starts_with(kUnix)) return parse_socket(text);
  const auto colon = text.rfind(':');
  const auto port =
      colon == std::string_view::npos ? std::nullopt : parse_port(text.substr(colon + 1));
  auto ip = std::string(text.substr(0, colon));
  if (ip == "localhost") ip = "127.0.0.1";
  const bool is_bracketed = ip.starts_with('[') && ip.ends_with(']');
  if (is_bracketed) ip = ip.substr(1, ip.size() - 2);
  if (!port || !is_ip_address(ip) || is_bracketed != (ip.find(':') != std::string::npos)) {
    return base::fail(base::ErrorKind::kUsage, "this is no address to listen at", std::string(text),
                      kForms);
  }
  return ListenAddress{.ip = ip, .port = *port};
}

base::Result<void> check_reach(const ListenAddress& address, const Protection& protection) {
  if (!address.socket_path.empty() || is_loopback(address.ip)) return {};
  if (protection.encrypts && protection.asks) return {};
  return base::fail(base::ErrorKind::kUsage,
                    protection.encrypts
                        ? "other hosts can reach this address, and nobody is asked who they are"
                        : "other hosts can reach this address, and nothing is encrypted",
                    address.text(),
                    "write cert_file and key_file under [web.tls], and basic_users_file or "
                    "tokens_file under [web.auth]; or insecure = true under [web] if all who can "
                    "reach it may read it");
}

}  // namespace reveal::http
