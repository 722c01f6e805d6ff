// Who is told of alerts, as [alerts] and its tables ask for it.
#pragma once

#include <filesystem>
#include <string_view>

#include "alert/alert.h"
#include "alert/options.h"
#include "settings/settings.h"

namespace reveal::service {

// Returns how receivers are told. What they were told is kept in `state_file`, as
// alert::AlertOptions has it.
alert::AlertOptions alert_options(const settings::Settings& settings,
                                  const std::filesystem::path& state_file);

// Returns what receivers know of the severity of findings, minor, moderate or major
// (docs/report.md): somebody should look, or come at once. One that is not known is a warning.
alert::Severity alert_severity(std::string_view word);

}  // namespace reveal::service
