// What one configuration says otherwise than another.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.h"

namespace reveal::settings {

// Returns the keys whose values differ, in the order of the table: "web.listen". Poll classes are
// one key, "collect.poll_classes", and so are all receivers of a kind, "alerts.webhook".
std::vector<std::string> changed_keys(const Settings& before, const Settings& after);

}  // namespace reveal::settings
