#include "service/broker.h"

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "service/placed_error.h"

namespace reveal::service {
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

Result<void> check_broker_files(const settings::Given& given, const FleetSettings& fleet) {
  for (const auto& file : kFiles) {
    const auto path = file.path(fleet);
    if (path.empty()) continue;
    const auto sound = check_file(path, file.is_secret);
    if (!sound) return placed(given, file.section, file.key, sound.error());
  }
  return {};
}

}  // namespace reveal::service
