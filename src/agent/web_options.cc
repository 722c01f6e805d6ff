#include "agent/web_options.h"

#include <string_view>
#include <utility>

#include "agent/placed_error.h"
#include "http/listen_address.h"
#include "http/server.h"

namespace reveal::agent {
namespace {

using base::Result;

bool wants_tls(const settings::WebTlsSettings& tls) {
  return !tls.cert_file.empty() || !tls.key_file.empty() || !tls.client_ca_file.empty() ||
         tls.client_auth_type != settings::WebTlsSettings{}.client_auth_type;
}

Result<std::shared_ptr<http::Tls>> open_tls(const settings::WebTlsSettings& tls) {
  if (!wants_tls(tls)) return nullptr;
  // The settings have no word that is not known there; a test holds them to that.
  auto out = http::Tls::open({.certificate = tls.cert_file,
                              .key = tls.key_file,
                              .client_authorities = tls.client_ca_file,
                              .client_auth = http::client_auth_of(tls.client_auth_type).value(),
                              .only_newest = tls.min_version == "TLS13"});
  if (!out) return base::pass(out);
  return std::shared_ptr<http::Tls>(std::move(*out));
}

Result<std::shared_ptr<access::Gate>> open_gate(const settings::WebAuthSettings& auth) {
  if (auth.basic_users_file.empty() && auth.tokens_file.empty()) return nullptr;
  auto out = access::Gate::open({.users = auth.basic_users_file, .tokens = auth.tokens_file});
  if (!out) return base::pass(out);
  return std::shared_ptr<access::Gate>(std::move(*out));
}

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

Result<void> check_address(const std::string& text, bool is_insecure,
                           const http::Protection& protection) {
  const auto address = http::parse_listen_address(text);
  if (!address) return base::pass(address);
  return is_insecure ? Result<void>() : http::check_reach(*address, protection);
}

}  // namespace

Result<WebGuard> open_guard(const settings::WebSettings& web) {
  auto tls = open_tls(web.tls);
  if (!tls) return base::pass(tls);
  auto gate = open_gate(web.auth);
  if (!gate) return base::pass(gate);
  return WebGuard{.tls = std::move(*tls), .gate = std::move(*gate)};
}

Result<void> check_web(const settings::Given& given) {
  const auto web = given.over({}).web;
  const auto tls = open_tls(web.tls);
  if (!tls) return placed(given, "web.tls", tls_key(web.tls, tls.error().where), tls.error());
  const auto gate = open_gate(web.auth);
  if (!gate) return placed(given, "web.auth", auth_key(web.auth, gate.error().where), gate.error());
  if (!web.url.empty() && !web.url.starts_with("http://") && !web.url.starts_with("https://")) {
    return placed(given, "web", "url",
                  {base::ErrorKind::kUsage, "is no address of a page", web.url,
                   "write one as https://n017.example:7383"});
  }
  const auto protection = http::protection_of(tls->get(), gate->get());
  for (const auto& address : web.listen) {
    const auto sound = check_address(address, web.insecure, protection);
    if (!sound) return placed(given, "web", "listen", sound.error());
  }
  return {};
}

}  // namespace reveal::agent
