// Errors about settings that are sound one by one.
#pragma once

#include <string_view>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::service {

// Returns the error as one of that setting's use, with the place at which it stands.
base::Unexpected placed(const settings::Given& given, std::string_view section,
                        std::string_view key, base::Error error);

}  // namespace reveal::service
