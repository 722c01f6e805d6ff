// What is wrong in a file, and in which line. For the readers of reveal.toml alone.
#pragma once

#include <string>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"

namespace reveal::settings {

// Returns "FILE, line N".
std::string place(const std::string& where, const toml::source_region& source);

// Return an error of kUsage at a value, and at a key that is none of `known`.
base::Unexpected at(std::string what, const std::string& where, const toml::node& node);
base::Unexpected unknown(const toml::key& key, const std::string& where,
                         const std::vector<std::string>& known);

}  // namespace reveal::settings
