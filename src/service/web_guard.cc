#include "service/web_guard.h"

#include <utility>

#include "http/listen_address.h"
#include "http/server.h"
#include "service/placed_error.h"

namespace reveal::service {
namespace {

using base::Result;

bool wants_tls(const settings::WebTlsSettings& tls) {
  return !tls.cert_file.empty() || !tls.key_file.empty() || !tls.client_ca_file.empty() ||
         tls.client_auth_type != settings::WebTlsSettings{}.client_auth_type;
}

}  // namespace

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

Result<WebGuard> open_guard(const settings::WebSettings& web) {
  auto tls = open_tls(web.tls);
  if (!tls) return base::pass(tls);
  auto gate = open_gate(web.auth);
  if (!gate) return base::pass(gate);
  return WebGuard{.tls = std::move(*tls), .gate = std::move(*gate)};
}

Result<void> check_address(const std::string& text, bool is_insecure, const WebGuard& guard) {
  const auto address = http::parse_listen_address(text);
  if (!address) return base::pass(address);
  if (is_insecure) return {};
  return http::check_reach(*address, http::protection_of(guard.tls.get(), guard.gate.get()));
}

base::Result<void> check_page_url(const settings::Given& given, std::string_view section,
                                  const std::string& url, std::string_view example) {
  if (url.empty() || url.starts_with("http://") || url.starts_with("https://")) return {};
  return placed(given, section, "url",
                {base::ErrorKind::kUsage, "is no address of a page", url,
                 "write one as " + std::string(example)});
}

}  // namespace reveal::service
