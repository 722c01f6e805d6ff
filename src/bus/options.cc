#include "bus/options.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace reveal::bus {
namespace {

constexpr std::string_view kPlain = "nats://";
constexpr std::string_view kTls = "tls://";

base::Unexpected wrong(std::string what, const std::string& where, std::string remedy) {
  return base::fail(base::ErrorKind::kUsage, std::move(what), where, std::move(remedy));
}

// Returns the host of an address, without brackets and port.
std::string_view host_of(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.find(':'));
}

// A name that only begins like an address of this host may be any host's.
bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  const bool is_number = host.find_first_not_of("0123456789.") == host.npos;
  return is_number && std::ranges::count(host, '.') == 3 && host.starts_with("127.");
}

base::Result<void> check_url(const std::string& url) {
  const bool is_plain = url.starts_with(kPlain);
  if (!is_plain && !url.starts_with(kTls)) {
    return wrong("not the address of a broker", url,
                 "write tls://HOST:4222, or nats:// on this host");
  }
  const auto host = host_of(std::string_view(url).substr(is_plain ? kPlain.size() : kTls.size()));
  if (host.empty()) return wrong("names no host", url, "write tls://HOST:4222");
  if (url.find('@') != std::string::npos) {
    return wrong("has a user or a password in it, which others can read",
                 "the address of the broker", "name the user, and put the password into a file");
  }
  if (is_plain && !is_loopback(host)) {
    return wrong("a broker on another machine without encryption", url,
                 "write tls:// and set ca_file");
  }
  return {};
}

}  // namespace

std::vector<std::string> urls_of(std::string_view text) {
  std::vector<std::string> out;
  for (;;) {
    const auto comma = text.find(',');
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

bool BrokerOptions::uses_tls() const {
  return url.starts_with(kTls) || url.find("," + std::string(kTls)) != std::string::npos;
}

base::Result<void> check(const BrokerOptions& options) {
  const auto urls = urls_of(options.url);
  for (const auto& url : urls) {
    if (auto checked = check_url(url); !checked) return checked;
    if (url.starts_with(kTls) != urls.front().starts_with(kTls)) {
      return wrong("some with encryption and some without", options.url, "write tls:// for all");
    }
  }
  const int identities = (options.user.empty() ? 0 : 1) + (options.nkey.empty() ? 0 : 1) +
                         (options.credentials_file.empty() ? 0 : 1);
  if (identities > 1) {
    return wrong("more than one of user, nkey and credentials", options.url, "keep one");
  }
  if (options.user.empty() != options.password_file.empty()) {
    return wrong("a user without a password file, or the other way round", options.url,
                 "set both or none");
  }
  if (options.nkey.empty() != options.nkey_seed_file.empty()) {
    return wrong("an nkey without the file of its seed, or the other way round", options.url,
                 "set both or none");
  }
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return wrong("a certificate without its key, or the other way round", options.url,
                 "set both or none");
  }
  return {};
}

}  // namespace reveal::bus
