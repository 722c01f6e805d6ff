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
//
// Further files are in the folder conf.d beside it, in which each program that is installed may
// have its own: those that end in .toml, in the order of their names. A value of a later one wins,
// and receivers and metrics of one's own are added.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::settings {

inline constexpr const char* kSystemFile = "/etc/reveal/reveal.toml";

inline constexpr const char* kFurtherFolder = "conf.d";

// Reads the text of a file, or of several (joined_text.h), into `given`. `where` names the first in
// errors, which are of kUsage. Fails with the first mistake; what is sound is read all the same.
base::Result<void> read_settings(std::string_view text, const std::string& where, Given& given);

// The same, but returns all mistakes, by file and line. After what is no TOML, nothing of that file
// is read.
std::vector<base::Error> read_all_settings(std::string_view text, const std::string& where,
                                           Given& given);

// Returns how errors name the file; if `path` is empty, the system's.
std::string name_of(const std::filesystem::path& path);

// Returns what is in that file, empty if there is no system's, and in those of conf.d beside it, as
// one text. Fails with kUsage.
base::Result<std::string> text_of_file(const std::filesystem::path& path);

// Reads the file; if `path` is empty, the system's, if there is one.
base::Result<void> load_settings(const std::filesystem::path& path, Given& given);

}  // namespace reveal::settings
