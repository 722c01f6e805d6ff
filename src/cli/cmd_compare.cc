// reveal compare: hosts that do the same job against one another.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "fleet/comparison.h"
#include "fleet/json.h"
#include "fleet/text.h"
#include "replay/copy_frames.h"
#include "store/segment_reader.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;

// Rates need the sample before, and slow sources hold their values for some ten seconds.
constexpr std::int64_t kRunUp_ns = 30'000'000'000;

struct CompareArguments {
  std::vector<std::string> directories;
  std::string format = "text";
  bool json = false;
  bool all = false;
};

Result<void> check_directories(const std::vector<std::string>& directories) {
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

Result<fleet::Recorded> recorded(const std::string& directory) {
  const auto span = store::wall_span(directory);
  if (!span) return base::pass(span);
  const auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::pass(reader);
  return fleet::Recorded{reader->facts().host, span->begin_ns, span->end_ns,
                         reader->facts().interval_ns};
}

bool are_different(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::find(names.begin(), names.end(), "") == names.end();
}

// Returns the hosts' own names, or, if those do not tell them apart, the directories', with as much
// of the path as that takes.
std::vector<std::string> names_of(const std::vector<std::string>& directories,
                                  const std::vector<fleet::Recorded>& hosts) {
  std::vector<std::string> names;
  names.reserve(hosts.size());
  for (const auto& host : hosts) names.push_back(host.name);
  if (are_different(names)) return names;
  names.clear();
  for (const auto& directory : directories) {
    names.push_back((fs::path(directory) / "").parent_path().filename().string());
  }
  return are_different(names) ? names : directories;
}

Result<std::vector<fleet::Recorded>> recorded_hosts(const std::vector<std::string>& directories) {
  std::vector<fleet::Recorded> out;
  for (const auto& directory : directories) {
    auto host = recorded(directory);
    if (!host) return base::pass(host);
    out.push_back(std::move(*host));
  }
  const auto names = names_of(directories, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].name = names[i];
  return out;
}

Result<fleet::HostLevels> read_host(const std::string& directory, const fleet::Grid& grid) {
  store::ReadOptions options;
  options.from_ns = grid.begin_ns - kRunUp_ns;
  options.to_ns = grid.end_ns();
  auto reader = store::SegmentReader::open(directory, std::move(options));
  if (!reader) return base::pass(reader);
  fleet::HostLevels out(grid);
  if (auto done = replay::copy_frames(*reader, out); !done) return base::pass(done);
  tell_damage(reader->damage());
  return out;
}

Result<fleet::Comparison> compare(const std::vector<std::string>& directories) {
  if (auto sound = check_directories(directories); !sound) return base::pass(sound);
  const auto hosts = recorded_hosts(directories);
  if (!hosts) return base::pass(hosts);
  const auto grid = fleet::common_grid(*hosts);
  if (!grid) return base::pass(grid);
  std::vector<fleet::HostLevels> levels;
  for (const auto& directory : directories) {
    auto host = read_host(directory, *grid);
    if (!host) return base::pass(host);
    levels.push_back(std::move(*host));
  }
  return fleet::compare(*grid, *hosts, levels);
}

int print_comparison(const CompareArguments& options) {
  const auto comparison = compare(options.directories);
  if (!comparison) return complain(comparison.error());
  const bool json = options.json || options.format == "json";
  const auto done = json ? text::print_data(fleet::to_json(*comparison))
                         : text::print(text::SafeText::styled(fleet::to_text(
                               *comparison, {colors_on(STDOUT_FILENO), options.all})));
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_compare(OptionSet& set) {
  auto options = std::make_shared<CompareArguments>();
  set.value("DIR", options->directories,
            "directories of recordings of the same time, one for each host")
      .required();
  set.value("--format", options->format, "text for people, or json for programs")
      .choices({"text", "json"});
  set.flag("--json", options->json, "the same as --format json");
  set.flag("--all", options->all, "all differences, not only the ten largest of each host");
  return [options](const Invocation&) { return print_comparison(*options); };
}

}  // namespace reveal::cli
