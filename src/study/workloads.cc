#include "study/workloads.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "replay/named_recording.h"
#include "text/words.h"

namespace reveal::study {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& directory) {
  std::error_code unknown;
  auto path = fs::absolute(directory, unknown).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // written with a "/" at its end
  const auto folder = path.parent_path();
  return folder.has_filename() ? folder.filename().string() : folder.string();
}

}  // namespace

base::Result<std::vector<Workload>> workloads_of(std::span<const std::string> words) {
  std::vector<Workload> out;
  std::set<fs::path> seen;
  for (const auto& word : words) {
    const auto run = replay::named_recording(word);
    if (!run) return base::pass(run);
    const auto name = run->name.empty() ? folder_of(run->directory) : run->name;
    std::error_code unknown;
    const auto path = fs::weakly_canonical(fs::absolute(run->directory), unknown);
    if (!unknown && !seen.insert(path).second) {
      return base::fail(base::ErrorKind::kUsage, "is given twice", run->directory,
                        "give each run once");
    }
    auto known = std::ranges::find(out, name, &Workload::name);
    if (known == out.end()) known = out.insert(known, Workload{name, {}});
    known->runs.push_back(run->directory);
  }
  return out;
}

std::string workloads_note(std::span<const Workload> workloads) {
  std::string out;
  for (const auto& one : workloads) {
    out += fmt::format("{}{} ({})", out.empty() ? "Workloads: " : ", ", one.name,
                       text::plural(one.runs.size(), "run"));
  }
  return out + ".";
}

}  // namespace reveal::study
