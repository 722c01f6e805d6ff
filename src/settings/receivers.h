// The receivers of alerts in reveal.toml: [[alerts.KIND]], a table for each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::settings {

// Returns the kinds, as alert/options.h names them.
std::span<const std::string_view> receiver_kinds();

// Returns whether a key of [alerts] names a kind of receivers.
bool is_receiver_kind(std::string_view key);

// Reads all receivers of one kind. Fails with kUsage, with the line, if a key is unknown or lacking
// or has a wrong value.
base::Result<void> read_receivers(std::string_view kind, const toml::node& node,
                                  const std::string& where, Given& given);

// Returns the keys of a receiver that have a text, with that, in the order of the reference.
std::vector<std::pair<std::string_view, std::string>> receiver_texts(
    const ReceiverSettings& receiver);

}  // namespace reveal::settings
