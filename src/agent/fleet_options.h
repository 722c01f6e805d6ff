// What [fleet] and [fleet.tls] ask for, checked.
#pragma once

#include "base/result.h"
#include "bus/options.h"
#include "publish/host_facts.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::agent {

// Returns how the broker is reached, by a connection of that name. A server may be several with
// commas between. REQUIRES: there are servers.
bus::BrokerOptions broker_options(const settings::FleetSettings& fleet, const std::string& name);

// Returns what the fleet is told of this host besides what is measured. Fails with kUsage if a
// label is none.
base::Result<publish::HostLabels> host_labels(const settings::FleetSettings& fleet);

// Fails with kUsage, and the place of the setting, if one of them cannot be used. What is in files
// is not looked at: it must not keep the agent from recording.
base::Result<void> check_fleet(const settings::Given& given);

// Fails likewise if a file cannot be read, or anybody may read a secret.
base::Result<void> check_fleet_files(const settings::Given& given);

}  // namespace reveal::agent
