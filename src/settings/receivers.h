// The receivers of alerts in reveal.toml: [[alerts.KIND]], a table for each.
#pragma once

#include <string>

#include <toml++/toml.h>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::settings {

// Returns whether a key of [alerts] names a kind of receivers.
bool is_receiver_kind(std::string_view key);

// Reads all receivers of one kind. Fails with kUsage, with the line, if a key is unknown or lacking
// or has a wrong value.
base::Result<void> read_receivers(std::string_view kind, const toml::node& node,
                                  const std::string& where, Given& given);

}  // namespace reveal::settings
