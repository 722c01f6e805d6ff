#include "ledger/pq_target.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace reveal::ledger {
namespace {

constexpr const char* kRemedy = "name a file with PGPASSFILE, or passfile= in the URL";

base::Unexpected refused(const char* what, const char* remedy) {
  return base::fail(base::ErrorKind::kUsage, what, "postgresql://...", remedy);
}

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::string value_of(const PqTarget& target, std::string_view keyword) {
  const auto found = std::ranges::find_if(target.parameters,
                                          [&](const auto& one) { return one.first == keyword; });
  return found == target.parameters.end() ? "" : found->second;
}

bool is_given(const PqTarget& target, const char* keyword, const char* variable) {
  return !value_of(target, keyword).empty() || !from_environment(variable).empty();
}

bool is_local(const PqTarget& target) {
  auto host = value_of(target, "hostaddr");
  if (host.empty()) host = value_of(target, "host");
  if (host.empty()) host = from_environment("PGHOSTADDR");
  if (host.empty()) host = from_environment("PGHOST");
  return host.empty() || host.front() == '/' || host == "localhost" || host == "127.0.0.1" ||
         host == "::1";
}

std::string name_of(const PqTarget& target) {
  auto host = value_of(target, "host");
  if (host.empty()) host = value_of(target, "hostaddr");
  const auto port = value_of(target, "port");
  return fmt::format("postgresql://{}{}{}/{}", host, port.empty() ? "" : ":", port,
                     value_of(target, "dbname"));
}

}  // namespace

bool is_pq_url(const std::string& where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

base::Result<PqTarget> read_pq_url(const PqApi& api, const std::string& url) {
  const std::unique_ptr<PQconninfoOption, decltype(api.free_options)> options(
      api.parse_url(url.c_str(), nullptr), api.free_options);
  if (!options) {
    return refused("libpq does not understand the URL", "postgresql://USER@HOST:PORT/DATABASE");
  }
  PqTarget out;
  for (const auto* one = options.get(); one->keyword != nullptr; ++one) {
    if (one->val != nullptr) out.parameters.emplace_back(one->keyword, one->val);
  }
  if (!value_of(out, "password").empty()) {
    return refused("a password in a URL is seen by all users of this host", kRemedy);
  }
  if (!from_environment("PGPASSWORD").empty()) {
    return refused("a password is read from a file, and not from PGPASSWORD", kRemedy);
  }
  out.name = name_of(out);
  if (!is_local(out) && !is_given(out, "sslmode", "PGSSLMODE") &&
      !is_given(out, "service", "PGSERVICE")) {
    out.parameters.emplace_back("sslmode", "verify-full");
  }
  out.parameters.emplace_back("fallback_application_name", "reveal");
  std::erase_if(out.parameters, [](const auto& one) { return one.first == "client_encoding"; });
  out.parameters.emplace_back("client_encoding", "UTF8");
  return out;
}

}  // namespace reveal::ledger
