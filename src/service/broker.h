// How a broker is reached, as [fleet] and [fleet.tls] ask for it.
#pragma once

#include <string>

#include "base/result.h"
#include "bus/options.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::service {

// Returns how the broker is reached, by a connection of that name. A server may be several with
// commas between. REQUIRES: there are servers.
bus::BrokerOptions broker_options(const settings::FleetSettings& fleet, const std::string& name);

// Fails with kUsage, and the place of the setting, if the broker cannot be reached as `fleet`,
// which is made of what is given, asks for. What is in files is not looked at: it must not keep a
// service from starting. REQUIRES: there are servers.
base::Result<void> check_broker(const settings::Given& given, const settings::FleetSettings& fleet);

// Fails likewise if a file cannot be read, or anybody may read a secret.
base::Result<void> check_broker_files(const settings::Given& given,
                                      const settings::FleetSettings& fleet);

}  // namespace reveal::service
