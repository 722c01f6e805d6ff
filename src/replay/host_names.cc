#include "replay/host_names.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace reveal::replay {
namespace {

namespace fs = std::filesystem;

bool are_different(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::ranges::find(names, "") == names.end();
}

}  // namespace

base::Result<void> check_given_once(const std::vector<std::string>& directories) {
  std::set<fs::path> seen;
  for (const auto& directory : directories) {
    std::error_code unknown;
    const auto path = fs::weakly_canonical(directory, unknown);
    if (!unknown && !seen.insert(path).second) {
      return base::fail(base::ErrorKind::kUsage, "is given twice", directory,
                        "give every host's recording once");
    }
  }
  return {};
}

std::vector<std::string> names_of_hosts(const std::vector<std::string>& directories,
                                        const std::vector<std::string>& hosts) {
  if (are_different(hosts)) return hosts;
  std::vector<std::string> names;
  names.reserve(directories.size());
  for (const auto& directory : directories) {
    names.push_back((fs::path(directory) / "").parent_path().filename().string());
  }
  return are_different(names) ? names : directories;
}

}  // namespace reveal::replay
