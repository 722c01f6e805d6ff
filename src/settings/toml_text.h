// Settings as the text of a reveal.toml that has the same effect.
#pragma once

#include <string>

#include "settings/settings.h"

namespace reveal::settings {

// Returns all sections, with a line for each setting that has a value, usual ones too, and all
// receivers. read_settings() reads it. Tokens and keys are not in it: settings have the names of
// their files. Addresses and commands are printed as they are.
std::string toml_text(const Settings& settings);

}  // namespace reveal::settings
