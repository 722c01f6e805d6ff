// What an agent keeps beside its recording, in the order in which docs/how_to/agent.md says that it
// goes. Tests hold the agent against this: it knows the names of files and folders alone, and
// shares no code with what removes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace reveal::agent {

// In the order in which they go.
enum class Rank : std::uint8_t { kEvidence, kHistory, kOpenFinding, kPin };

// Returns the bytes of a file or folder: its blocks, or its size if that is more.
inline std::uint64_t bytes_at(const std::filesystem::path& path) {
  struct stat at {};
  if (::lstat(path.c_str(), &at) != 0) return 0;
  const auto blocks = static_cast<std::uint64_t>(at.st_blocks) * 512;
  return S_ISREG(at.st_mode) ? std::max(blocks, static_cast<std::uint64_t>(at.st_size)) : blocks;
}

// Calls `take` with each path below `top` and its bytes.
template <typename Take>
void for_each_below(const std::filesystem::path& top, Take take) {
  std::error_code failed;
  for (std::filesystem::recursive_directory_iterator it(top, failed), end; !failed && it != end;
       it.increment(failed)) {
    take(it->path(), bytes_at(it->path()));
  }
}

// Returns the same of a folder and all below it.
inline std::uint64_t all_bytes(const std::filesystem::path& top) {
  auto out = bytes_at(top);
  for_each_below(top, [&](const auto&, std::uint64_t bytes) { out += bytes; });
  return out;
}

class KeptOrder {
 public:
  explicit KeptOrder(const std::filesystem::path& directory) : directory_(directory) {
    bytes_ = bytes_at(directory);
    for (const char* top : {"findings", "reports", "pins", "state"}) {
      bytes_ += bytes_at(directory / top);
      for_each_below(directory / top, [&](const std::filesystem::path& path, std::uint64_t bytes) {
        bytes_ += bytes;
        take(path.lexically_relative(directory), bytes);
      });
    }
  }

  // Returns what all of it takes, and pins alone.
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t pins_bytes() const { return pins_bytes_; }

  // Returns the names of all that may go; each is a path, that of a report without its ending.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [place, bytes] : things_) out.push_back(std::get<2>(place));
    return out;
  }

  // Returns what has to go, up to that rank, for the rest to take no more than `most`.
  std::set<std::string> going(std::uint64_t most, Rank last) const {
    std::set<std::string> out;
    auto left = bytes_;
    for (const auto& [place, bytes] : things_) {
      if (left <= most || std::get<0>(place) > last) break;
      out.insert(std::get<2>(place));
      left -= bytes;
    }
    return out;
  }

  // Returns what stays if all up to that rank goes.
  std::uint64_t bytes_without(Rank last) const {
    auto left = bytes_;
    for (const auto& [place, bytes] : things_) left -= std::get<0>(place) <= last ? bytes : 0;
    return left;
  }

 private:
  using Path = std::filesystem::path;
  using Place = std::tuple<Rank, std::string, std::string>;  // its time, its name

  void take(const Path& at, std::uint64_t bytes) {
    const std::vector<Path> parts(at.begin(), at.end());
    if (parts[0] == "findings") return take_finding(parts, bytes);
    if (parts[0] == "reports" && at.has_extension()) {
      const auto name = Path(at).replace_extension().string();
      add({Rank::kHistory, name.substr(name.find('/')), name}, bytes);
    }
    if (parts[0] != "pins") return;
    pins_bytes_ += bytes;
    if (parts[1].extension() == ".part") return;
    add({Rank::kPin, parts[1].string(), (parts[0] / parts[1]).string()}, bytes);
  }

  // findings/2026/11/26/ID/..., where an id has 26 letters.
  void take_finding(const std::vector<Path>& parts, std::uint64_t bytes) {
    if (parts.size() < 5 || parts[4].string().size() != 26) return;
    const auto day = Path("/") / parts[1] / parts[2] / parts[3];
    const auto folder = parts[0] / day.relative_path() / parts[4];
    const auto time = (day / parts[4]).string();
    if (parts.size() > 5 && parts[5] == "evidence") {
      return add({Rank::kEvidence, time, (folder / "evidence").string()}, bytes);
    }
    add({is_open(folder) ? Rank::kOpenFinding : Rank::kHistory, time, folder.string()}, bytes);
  }

  bool is_open(const Path& folder) const {
    std::ifstream in(directory_ / folder / "finding.json");
    const auto json = nlohmann::json::parse(in, nullptr, false);
    return json.is_object() && json.value("open", false);
  }

  void add(const Place& place, std::uint64_t bytes) { things_[place] += bytes; }

  Path directory_;
  std::uint64_t bytes_ = 0;
  std::uint64_t pins_bytes_ = 0;
  std::map<Place, std::uint64_t> things_;
};

// Returns the names of what was there and is not there now.
inline std::set<std::string> gone(const KeptOrder& before, const KeptOrder& after) {
  const auto names = after.names();
  const std::set<std::string> there(names.begin(), names.end());
  std::set<std::string> out;
  for (const auto& name : before.names()) {
    if (!there.contains(name)) out.insert(name);
  }
  return out;
}

}  // namespace reveal::agent
