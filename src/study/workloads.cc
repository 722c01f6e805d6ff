#include "study/workloads.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "text/words.h"

namespace reveal::study {
namespace {

namespace fs = std::filesystem;

struct NamedRun {
  std::string workload;
  std::string directory;
};

std::string folder_of(const std::string& directory) {
  std::error_code unknown;
  auto path = fs::absolute(directory, unknown).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // written with a "/" at its end
  const auto folder = path.parent_path();
  return folder.has_filename() ? folder.filename().string() : folder.string();
}

base::Result<NamedRun> named_run(const std::string& word) {
  const auto sign = word.find('=');
  const bool is_named = sign != std::string::npos && sign < word.find('/');
  NamedRun out{is_named ? word.substr(0, sign) : folder_of(word),
               is_named ? word.substr(sign + 1) : word};
  if (!out.directory.empty() && !out.workload.empty()) return out;
  return base::fail(base::ErrorKind::kUsage, "is neither a directory nor NAME=DIR",
                    word.empty() ? "\"\"" : word, "write bert=runs/1, for example");
}

}  // namespace

base::Result<std::vector<Workload>> workloads_of(std::span<const std::string> words) {
  std::vector<Workload> out;
  std::set<fs::path> seen;
  for (const auto& word : words) {
    const auto run = named_run(word);
    if (!run) return base::pass(run);
    std::error_code unknown;
    const auto path = fs::weakly_canonical(fs::absolute(run->directory), unknown);
    if (!unknown && !seen.insert(path).second) {
      return base::fail(base::ErrorKind::kUsage, "is given twice", run->directory,
                        "give each run once");
    }
    auto known = std::ranges::find(out, run->workload, &Workload::name);
    if (known == out.end()) known = out.insert(known, Workload{run->workload, {}});
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
