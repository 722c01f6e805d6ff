// reveal.toml: every setting of the table, by section and key. Anything that is not understood is
// an error that says where: a misspelled key must not silently leave a default in place.
//
//   [record]
//   interval = "100ms"
//
//   [collect.poll_classes]   # fast (every tick), quick, medium, slow or off, by collector
//   interrupts = "slow"
//
//   [[alerts.webhook]]       # as often as there are receivers
//   url = "https://example.com/hook"
//
//   [[probes.metric]]        # as often as there are metrics of one's own
//   name = "train_step_seconds"
//
//   [analysis]
//   features = ["default", "previous_ks_distance"]   # or one name: of profiles and features
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::settings {

inline constexpr const char* kSystemFile = "/etc/reveal/reveal.toml";

// Reads the text of a file into `given`. `where` names it in errors, which are of kUsage.
base::Result<void> read_settings(std::string_view text, const std::string& where, Given& given);

// Returns how errors name the file; if `path` is empty, the system's.
std::string name_of(const std::filesystem::path& path);

// Returns what is in that file, empty if there is no system's. Fails with kUsage.
base::Result<std::string> text_of_file(const std::filesystem::path& path);

// Reads the file; if `path` is empty, the system's, if there is one.
base::Result<void> load_settings(const std::filesystem::path& path, Given& given);

}  // namespace reveal::settings
