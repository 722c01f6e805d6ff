#include "ledger/pq_target.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace reveal::ledger {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kRemedy = "name a file with PGPASSFILE, or passfile= in the URL";
constexpr const char* kPort = "5432";  // libpq's own
constexpr const char* kAttributes = "target_session_attrs";

base::Unexpected refused(const char* what, const char* remedy) {
  return base::fail(base::ErrorKind::kUsage, what, "postgresql://...", remedy);
}

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::string value_of(const Parameters& parameters, std::string_view keyword) {
  const auto found =
      std::ranges::find_if(parameters, [&](const auto& one) { return one.first == keyword; });
  return found == parameters.end() ? "" : found->second;
}

// Returns what libpq would take: the URL's, else the environment's.
std::string setting(const Parameters& parameters, std::string_view keyword, const char* variable) {
  auto out = value_of(parameters, keyword);
  return out.empty() ? from_environment(variable) : out;
}

void set(Parameters& parameters, const std::string& keyword, const std::string& value) {
  std::erase_if(parameters, [&](const auto& one) { return one.first == keyword; });
  parameters.emplace_back(keyword, value);
}

// Returns what is between the commas, one part or more.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> out(1);
  for (const char one : list) {
    if (one == ',') {
      out.emplace_back();
    } else {
      out.back() += one;
    }
  }
  return out;
}

bool is_here(const std::string& host) {
  return host.empty() || host.front() == '/' || host.front() == '@' || host == "localhost" ||
         host == "127.0.0.1" || host == "::1";
}

bool is_local(const Parameters& parameters) {
  const auto address = setting(parameters, "hostaddr", "PGHOSTADDR");
  return is_here(address.empty() ? setting(parameters, "host", "PGHOST") : address);
}

// A password at a place where libpq looks for none would be told as a part of a name. "@" begins
// the name of a socket that is in no folder.
bool may_hide_password(const Parameters& parameters) {
  for (const char* keyword : {"host", "hostaddr", "port"}) {
    for (const auto& part : parts_of(value_of(parameters, keyword))) {
      if (part.find('@', 1) != std::string::npos) return true;
    }
  }
  return value_of(parameters, "dbname").find('@') != std::string::npos ||
         value_of(parameters, "port").find_first_not_of("0123456789,") != std::string::npos;
}

std::string place_of(const Parameters& parameters) {
  auto host = value_of(parameters, "host");
  if (host.empty()) host = value_of(parameters, "hostaddr");
  if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
  const auto port = value_of(parameters, "port");
  return fmt::format("{}{}{}", host, port.empty() ? "" : ":", port);
}

std::string name_of(std::string_view places, const Parameters& parameters) {
  return fmt::format("postgresql://{}/{}", places, value_of(parameters, "dbname"));
}

// Returns the parameters for each server; one if the lists do not fit, so that libpq says why.
std::vector<Parameters> servers_of(const Parameters& parameters) {
  const auto hosts = parts_of(setting(parameters, "host", "PGHOST"));
  const auto addresses = parts_of(setting(parameters, "hostaddr", "PGHOSTADDR"));
  const auto ports = parts_of(setting(parameters, "port", "PGPORT"));
  const std::size_t count = std::max(hosts.size(), addresses.size());
  const auto fits = [&](const std::vector<std::string>& list, bool may_be_one) {
    return list.size() == count || (list.size() == 1 && (may_be_one || list[0].empty()));
  };
  if (count == 1 || !fits(hosts, false) || !fits(addresses, false) || !fits(ports, true)) {
    return {parameters};
  }
  std::vector<Parameters> out(count, parameters);
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&](const std::vector<std::string>& list) {
      return list.size() == 1 ? list[0] : list[i];
    };
    set(out[i], "host", part(hosts));
    set(out[i], "hostaddr", part(addresses));
    const auto port = part(ports);
    set(out[i], "port", port.empty() ? kPort : port);
  }
  return out;
}

// Standbys are preferred by asking all for one first, as libpq does.
void prefer_standbys(std::vector<PqServer>& servers) {
  auto any = servers;
  for (auto& one : servers) set(one.parameters, kAttributes, "standby");
  for (auto& one : any) set(one.parameters, kAttributes, "any");
  servers.insert(servers.end(), any.begin(), any.end());
}

PqTarget target_of(const Parameters& parameters, Access access) {
  PqTarget out;
  const bool has_service = !setting(parameters, "service", "PGSERVICE").empty();
  const bool has_mode = !setting(parameters, "sslmode", "PGSSLMODE").empty();
  std::string places;
  for (auto& one : has_service ? std::vector<Parameters>{parameters} : servers_of(parameters)) {
    const auto place = place_of(one);
    places += (out.servers.empty() ? "" : ",") + place;
    if (!has_service && !has_mode && !is_local(one)) set(one, "sslmode", "verify-full");
    out.servers.push_back({std::move(one), name_of(place, parameters)});
  }
  out.name = name_of(places, parameters);
  if (out.servers.size() == 1) return out;
  const auto wanted = setting(parameters, kAttributes, "PGTARGETSESSIONATTRS");
  if (wanted == "prefer-standby") {
    prefer_standbys(out.servers);
  } else if (wanted.empty() && access == Access::kWrite) {
    for (auto& one : out.servers) set(one.parameters, kAttributes, "read-write");
  }
  return out;
}

}  // namespace

bool is_pq_url(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

base::Result<PqTarget> read_pq_url(const PqApi& api, const std::string& url, Access access) {
  const std::unique_ptr<PQconninfoOption, decltype(api.free_options)> options(
      api.parse_url(url.c_str(), nullptr), api.free_options);
  if (!options) {
    return refused("libpq does not understand the URL", "postgresql://USER@HOST:PORT/DATABASE");
  }
  Parameters parameters;
  for (const auto* one = options.get(); one->keyword != nullptr; ++one) {
    if (one->val != nullptr) parameters.emplace_back(one->keyword, one->val);
  }
  if (!value_of(parameters, "password").empty()) {
    return refused("a password in a URL is seen by all users of this host", kRemedy);
  }
  if (may_hide_password(parameters)) {
    return refused("a host, a port or a database cannot have such a name",
                   "in a user's name write %40 for @ and %3A for :, and no password");
  }
  if (!from_environment("PGPASSWORD").empty()) {
    return refused("a password is read from a file, and not from PGPASSWORD", kRemedy);
  }
  set(parameters, "fallback_application_name", "reveal");
  set(parameters, "client_encoding", "UTF8");
  return target_of(parameters, access);
}

}  // namespace reveal::ledger
