// What [fleet] asks for, checked: of this host, and of the broker that it tells.
#pragma once

#include "base/result.h"
#include "publish/host_facts.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::agent {

// Returns what the fleet is told of this host besides what is measured. Fails with kUsage if a
// label is none.
base::Result<publish::HostLabels> host_labels(const settings::FleetSettings& fleet);

// Fails with kUsage, and the place of the setting, if one of them cannot be used
// (service::check_broker()).
base::Result<void> check_fleet(const settings::Given& given);

}  // namespace reveal::agent
