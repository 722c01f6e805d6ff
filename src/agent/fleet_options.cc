#include "agent/fleet_options.h"

#include <fmt/format.h>

#include "service/broker.h"
#include "service/placed_error.h"
#include "wire/limits.h"
#include "wire/subject.h"

namespace reveal::agent {

using base::ErrorKind;
using base::Result;
using settings::FleetSettings;

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
    return service::placed(given, "fleet", "site",
                           {ErrorKind::kUsage, "is no site", fleet.site,
                            "write 1 to 32 characters out of a to z, 0 to 9, _ and -"});
  }
  if (const auto labels = host_labels(fleet); !labels) {
    return service::placed(given, "fleet", "labels", labels.error());
  }
  return fleet.servers.empty() ? Result<void>() : service::check_broker(given, fleet);
}

}  // namespace reveal::agent
