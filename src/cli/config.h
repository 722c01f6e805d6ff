// reveal.toml: what is read how often, and what is analysed. Anything that is not understood is an
// error that says where: a misspelt key must not silently leave a default in place.
//
//   [collect]
//   medium = "1s"     # time between two readings in the medium lane
//   slow = "10s"      # and in the slow one
//   budget = 0.01     # of one core, for each collector; more, and it is read less often
//
//   [collect.lanes]   # fast (every tick), medium, slow or off, by collector
//   interrupts = "slow"
//   perf_cgroup = "medium"
//
//   [analysis]
//   features = ["default", "previous_ks_distance"]   # or one name: of profiles and features
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/lanes.h"

namespace reveal::cli {

inline constexpr const char* kSystemConfig = "/etc/reveal/reveal.toml";

struct Config {
  collect::LanePlan lanes;
  std::vector<std::string>
      features;  // names that feature::choose_features() knows; empty: not said
};

// Reads the text of a configuration. `where` names it in errors.
base::Result<Config> parse_config(std::string_view text, const std::string& where);

// Reads the file; where `path` is empty, the system's, if there is one, else the defaults.
base::Result<Config> load_config(const std::filesystem::path& path);

}  // namespace reveal::cli
