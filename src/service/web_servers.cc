#include "service/web_servers.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace reveal::service {
namespace {

constexpr std::string_view kUnix = "unix:";

// systemd makes it (RuntimeDirectory=); without systemd nobody does.
void make_folder(const std::string& address) {
  if (!address.starts_with(kUnix)) return;
  std::error_code ignored;
  std::filesystem::create_directories(
      std::filesystem::path(address.substr(kUnix.size())).parent_path(), ignored);
}

}  // namespace

WebServers::WebServers(const settings::WebSettings& settings, const std::string& host,
                       const SiteMaker& make_site, Log log, std::size_t most_unsent_bytes)
    : log_(std::move(log)), most_unsent_bytes_(most_unsent_bytes) {
  auto guard = open_guard(settings);
  if (guard) {
    guard_ = std::move(*guard);
  } else {
    guard_trouble_ = guard.error().message();
    log_(Weight::kError, "only unix sockets are served: " + guard_trouble_);
  }
  for (const auto& address : settings.listen) {
    if (guard_trouble_.empty() || address.starts_with(kUnix)) {
      open(address, settings, host, make_site);
    }
  }
}

void WebServers::open(const std::string& address, const settings::WebSettings& settings,
                      const std::string& host, const SiteMaker& make_site) {
  make_folder(address);
  http::ServeOptions options;
  options.listen = {address};
  options.insecure = settings.insecure;
  options.tls = guard_.tls;
  options.gate = guard_.gate;
  options.names = settings.names;
  options.names.push_back(host);
  options.most_unsent_bytes = most_unsent_bytes_;
  sites_.push_back(make_site());
  auto server = http::Server::start(std::move(options), *sites_.back());
  if (!server) return log_(Weight::kWarning, server.error().message());
  for (const auto& at : (*server)->addresses()) log_(Weight::kInfo, "answers at " + at);
  servers_.push_back(std::move(*server));
}

void WebServers::keep_trouble(const base::Result<bool>& outcome, const char* what,
                              std::string& trouble) {
  if (!outcome) {
    trouble = fmt::format("the older {} hold: {}", what, outcome.error().message());
    log_(Weight::kError, trouble);
  } else if (*outcome) {
    trouble.clear();
    log_(Weight::kNotice, fmt::format("the {} are read anew", what));
  }
}

void WebServers::refresh() {
  if (guard_.tls) keep_trouble(guard_.tls->refresh(), "certificates", tls_trouble_);
  if (guard_.gate) keep_trouble(guard_.gate->refresh(), "users and tokens", gate_trouble_);
}

std::string WebServers::trouble() const {
  if (!guard_trouble_.empty()) return guard_trouble_;
  return tls_trouble_.empty() ? gate_trouble_ : tls_trouble_;
}

}  // namespace reveal::service
