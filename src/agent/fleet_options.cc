#include "agent/fleet_options.h"

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "agent/placed_error.h"
#include "base/whole_file.h"
#include "wire/limits.h"
#include "wire/subject.h"

namespace reveal::agent {
namespace {

using base::ErrorKind;
using base::Result;
using settings::FleetSettings;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 20;

// A setting that names a file.
struct File {
  std::string_view section;
  std::string_view key;
  std::string (*path)(const FleetSettings& fleet);
  bool is_secret;
};

constexpr std::array<File, 6> kFiles{{
    {"fleet", "password_file", [](const FleetSettings& fleet) { return fleet.password_file; },
     true},
    {"fleet", "nkey_seed_file", [](const FleetSettings& fleet) { return fleet.nkey_seed_file; },
     true},
    {"fleet", "credentials_file", [](const FleetSettings& fleet) { return fleet.credentials_file; },
     true},
    {"fleet.tls", "ca_file", [](const FleetSettings& fleet) { return fleet.tls.ca_file; }, false},
    {"fleet.tls", "cert_file", [](const FleetSettings& fleet) { return fleet.tls.cert_file; },
     false},
    {"fleet.tls", "key_file", [](const FleetSettings& fleet) { return fleet.tls.key_file; }, true},
}};

Result<void> check_file(const std::string& path, bool is_secret) {
  const auto text = base::read_whole_file(path, "file", kMostFileBytes);
  if (!text) return base::pass(text);
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return base::fail_errno(errno, "cannot look at", path);
  if (is_secret && (about.st_mode & S_IROTH) != 0) {
    return base::fail(ErrorKind::kUsage, "can be read by anybody", path,
                      fmt::format("chmod o-r {}", path));
  }
  return {};
}

// Returns which of the settings of who this is was given.
std::string_view identity_key(const FleetSettings& fleet) {
  if (!fleet.user.empty()) return "user";
  if (!fleet.password_file.empty()) return "password_file";
  if (!fleet.nkey.empty()) return "nkey";
  return fleet.nkey_seed_file.empty() ? "credentials_file" : "nkey_seed_file";
}

Result<void> check_broker(const settings::Given& given, const FleetSettings& fleet) {
  const auto all = broker_options(fleet, {});
  bus::BrokerOptions some;
  some.url = all.url;
  if (auto sound = bus::check(some); !sound) {
    return placed(given, "fleet", "servers", sound.error());
  }
  some = all;
  some.certificate_file.clear();
  some.key_file.clear();
  if (auto sound = bus::check(some); !sound) {
    return placed(given, "fleet", identity_key(fleet), sound.error());
  }
  if (auto sound = bus::check(all); !sound) {
    return placed(given, "fleet.tls", fleet.tls.cert_file.empty() ? "key_file" : "cert_file",
                  sound.error());
  }
  return {};
}

}  // namespace

bus::BrokerOptions broker_options(const FleetSettings& fleet, const std::string& name) {
  bus::BrokerOptions out;
  out.url = fmt::format("{}", fmt::join(fleet.servers, ","));
  out.name = name;
  out.user = fleet.user;
  out.password_file = fleet.password_file;
  out.nkey = fleet.nkey;
  out.nkey_seed_file = fleet.nkey_seed_file;
  out.credentials_file = fleet.credentials_file;
  out.ca_file = fleet.tls.ca_file;
  out.certificate_file = fleet.tls.cert_file;
  out.key_file = fleet.tls.key_file;
  out.server_name = fleet.tls.server_name;
  return out;
}

Result<publish::HostLabels> host_labels(const FleetSettings& fleet) {
  publish::HostLabels out{.site = fleet.site, .role = fleet.role, .labels = {}};
  for (const auto& label : fleet.labels) {
    const auto equals = label.find('=');
    if (equals == std::string::npos || equals == 0 || equals > wire::kMaxLabelName) {
      return base::fail(ErrorKind::kUsage, "is no label", label, "write NAME=VALUE");
    }
    out.labels.emplace_back(label.substr(0, equals), label.substr(equals + 1));
  }
  if (out.labels.size() > wire::kMaxLabels) {
    return base::fail(ErrorKind::kUsage, "too many labels", {},
                      fmt::format("keep {} of them", wire::kMaxLabels));
  }
  return out;
}

Result<void> check_fleet(const settings::Given& given) {
  const auto fleet = given.over({}).fleet;
  if (!wire::is_site(fleet.site)) {
    return placed(given, "fleet", "site",
                  {ErrorKind::kUsage, "is no site", fleet.site,
                   "write 1 to 32 characters out of a to z, 0 to 9, _ and -"});
  }
  if (const auto labels = host_labels(fleet); !labels) {
    return placed(given, "fleet", "labels", labels.error());
  }
  return fleet.servers.empty() ? Result<void>() : check_broker(given, fleet);
}

Result<void> check_fleet_files(const settings::Given& given) {
  const auto fleet = given.over({}).fleet;
  for (const auto& file : kFiles) {
    const auto path = file.path(fleet);
    if (path.empty()) continue;
    const auto sound = check_file(path, file.is_secret);
    if (!sound) return placed(given, file.section, file.key, sound.error());
  }
  return {};
}

}  // namespace reveal::agent
