// reveal compare: hosts that do the same job against one another, and two runs of one host.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "fleet/before_after.h"
#include "fleet/before_after_json.h"
#include "fleet/before_after_text.h"
#include "fleet/comparison.h"
#include "fleet/json.h"
#include "fleet/text.h"
#include "replay/copy_frames.h"
#include "replay/host_names.h"
#include "replay/recording_part.h"
#include "store/segment_reader.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

// Rates need the sample before, and slow sources hold their values for some ten seconds.
constexpr std::int64_t kRunUp_ns = 30'000'000'000;

struct CompareArguments {
  std::vector<std::string> directories;
  std::string before;
  std::string after;
  std::string format = "text";
  bool json = false;
  bool all = false;
  bool local = false;
};

Result<fleet::Recorded> recorded(const std::string& directory) {
  const auto span = store::wall_span(directory);
  if (!span) return base::pass(span);
  const auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::pass(reader);
  return fleet::Recorded{reader->facts().host, span->begin_ns, span->end_ns,
                         reader->facts().interval_ns};
}

Result<std::vector<fleet::Recorded>> recorded_hosts(const std::vector<std::string>& directories) {
  std::vector<fleet::Recorded> out;
  std::vector<std::string> names;
  for (const auto& directory : directories) {
    auto host = recorded(directory);
    if (!host) return base::pass(host);
    names.push_back(host->name);
    out.push_back(std::move(*host));
  }
  names = replay::names_of_hosts(directories, names);
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
  if (auto sound = replay::check_given_once(directories); !sound) return base::pass(sound);
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

// One of two runs on its way: its levels, and the work of both.
class RunSink : public model::FrameSink {
 public:
  RunSink(const fleet::Grid& grid, fleet::JoinedWork& work)
      : grid_(grid), levels_(grid), work_(work) {}

  Result<void> begin(const model::RunFacts& facts) override {
    work_.begin_run(facts.interval_ns);
    return levels_.begin(facts);
  }
  Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override {
    if (frame.wall_ns >= grid_.end_ns()) return {};
    if (auto done = levels_.write(channels, frame); !done) return done;
    if (frame.wall_ns < grid_.begin_ns) return {};  // the run-up
    work_.add(levels_.derived_channels(), frame.sequence, levels_.derived_row());
    return {};
  }
  Result<void> finish() override { return levels_.finish(); }

  fleet::HostLevels take() { return std::move(levels_); }

 private:
  fleet::Grid grid_;
  fleet::HostLevels levels_;
  fleet::JoinedWork& work_;
};

Result<fleet::ComparedRun> compared_run(const std::string& words) {
  const auto part = replay::parse_recording_part(words);
  if (!part) return base::pass(part);
  auto run = recorded(part->directory);
  if (!run) return base::pass(run);
  run->begin_ns = part->begin_ns;
  run->end_ns = part->end_ns - (part->is_cut ? run->interval_ns : 0);
  return fleet::ComparedRun{part->directory, std::move(*run), {}};
}

Result<fleet::HostLevels> read_run(const fleet::ComparedRun& run, fleet::JoinedWork& work) {
  store::ReadOptions options;
  options.from_ns = run.grid.begin_ns - kRunUp_ns;
  options.to_ns = run.grid.end_ns();
  auto reader = store::SegmentReader::open(run.recording, std::move(options));
  if (!reader) return base::pass(reader);
  RunSink out(run.grid, work);
  if (auto done = replay::copy_frames(*reader, out); !done) return base::pass(done);
  tell_damage(reader->damage());
  return out.take();
}

Result<fleet::BeforeAfter> compare_before_after(const CompareArguments& options) {
  std::array<fleet::ComparedRun, 2> runs;
  const std::array<const std::string*, 2> words{&options.before, &options.after};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto run = compared_run(*words[i]);
    if (!run) return base::pass(run);
    runs[i] = std::move(*run);
  }
  const auto grids = fleet::grids_of({runs[0].recorded, runs[1].recorded});
  if (!grids) return base::pass(grids);
  fleet::JoinedWork work;
  std::vector<fleet::HostLevels> levels;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].grid = (*grids)[i];
    auto run = read_run(runs[i], work);
    if (!run) return base::pass(run);
    levels.push_back(std::move(*run));
  }
  return fleet::compare_runs(std::move(runs), levels, work);
}

template <typename Comparison>
int print_comparison(const CompareArguments& options, const Result<Comparison>& comparison) {
  if (!comparison) return complain(comparison.error());
  const bool json = options.json || options.format == "json";
  const auto done = json ? text::print_data(fleet::to_json(*comparison))
                         : text::print(text::SafeText::styled(fleet::to_text(
                               *comparison, {.colors = colors_on(STDOUT_FILENO),
                                             .clock = text::Clock(zone_of(options.local)),
                                             .all = options.all})));
  return done ? kDone : complain(done.error());
}

Result<void> check_arguments(const CompareArguments& options) {
  const bool before = !options.before.empty();
  const bool after = !options.after.empty();
  if (before != after) {
    return base::fail(base::ErrorKind::kUsage, "needs the other one too",
                      before ? "--before" : "--after", "give both --before and --after");
  }
  if (before && !options.directories.empty()) {
    return base::fail(base::ErrorKind::kUsage, "is one recording more than --before and --after",
                      options.directories.front(), "leave it out");
  }
  if (!before && options.directories.empty()) {
    return base::fail(base::ErrorKind::kUsage, "there is nothing to compare", {},
                      "give recordings of several hosts, or --before and --after");
  }
  return {};
}

int run_comparison(const CompareArguments& options) {
  if (auto sound = check_arguments(options); !sound) return complain(sound.error());
  if (!options.before.empty()) return print_comparison(options, compare_before_after(options));
  return print_comparison(options, compare(options.directories));
}

}  // namespace

Action declare_compare(OptionSet& set) {
  auto options = std::make_shared<CompareArguments>();
  set.value("DIR", options->directories,
            "directories of recordings of the same time, one for each host");
  set.value("--before", options->before,
            "a recording, or a part of it, to compare with --after: what changed in between")
      .placeholder("DIR[@FROM..TO]");
  set.value("--after", options->after, "the later one; times as of --from in reveal export")
      .placeholder("DIR[@FROM..TO]");
  set.value("--format", options->format, "text for people, or json for programs")
      .choices({"text", "json"});
  set.flag("--json", options->json, "the same as --format json");
  set.flag("--all", options->all,
           "all differences, not only the ten largest of each host, or of two runs");
  set.flag("--local", options->local, kLocalHelp);
  return [options](const Invocation&) { return run_comparison(*options); };
}

}  // namespace reveal::cli
