#include "agent/web_options.h"

#include <string>
#include <string_view>

#include "service/placed_error.h"
#include "service/web_guard.h"

namespace reveal::agent {
namespace {

using base::Result;

// Returns the key whose file an error is about.
std::string_view tls_key(const settings::WebTlsSettings& tls, const std::string& where) {
  if (!tls.key_file.empty() && where == tls.key_file) return "key_file";
  if (!tls.client_ca_file.empty() && where == tls.client_ca_file) return "client_ca_file";
  if (!tls.cert_file.empty()) return "cert_file";
  return tls.key_file.empty() ? "client_auth_type" : "key_file";
}

std::string_view auth_key(const settings::WebAuthSettings& auth, const std::string& where) {
  const bool is_token = !auth.tokens_file.empty() && where.starts_with(auth.tokens_file);
  return is_token ? "tokens_file" : "basic_users_file";
}

}  // namespace

Result<void> check_web(const settings::Given& given) {
  const auto web = given.over({}).web;
  const auto tls = service::open_tls(web.tls);
  if (!tls)
    return service::placed(given, "web.tls", tls_key(web.tls, tls.error().where), tls.error());
  const auto gate = service::open_gate(web.auth);
  if (!gate)
    return service::placed(given, "web.auth", auth_key(web.auth, gate.error().where), gate.error());
  if (auto sound = service::check_page_url(given, "web", web.url, "https://n017.example:7383");
      !sound) {
    return sound;
  }
  const service::WebGuard guard{.tls = *tls, .gate = *gate};
  for (const auto& address : web.listen) {
    const auto sound = service::check_address(address, web.insecure, guard);
    if (!sound) return service::placed(given, "web", "listen", sound.error());
  }
  return {};
}

}  // namespace reveal::agent
