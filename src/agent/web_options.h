// What [web], [web.tls] and [web.auth] ask for, checked.
#pragma once

#include "base/result.h"
#include "settings/given.h"

namespace reveal::agent {

// Fails with kUsage, and the place of the setting, if a file is wrong, an address is none, or one
// may not be served so.
base::Result<void> check_web(const settings::Given& given);

}  // namespace reveal::agent
