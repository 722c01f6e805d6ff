// reveal top: the state of a host in a terminal.
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "record/supervisor.h"
#include "store/recording_dir.h"
#include "top/loop.h"
#include "top/watched_host.h"

namespace reveal::cli {
namespace {

struct TopArguments {
  std::string directory;
  bool live = false;
  bool once = false;
  bool local = false;
  SettingOptions settings;
  HostOptions host;
};

base::Result<void> check(const TopArguments& options) {
  const auto refuse = [](const char* what, const char* where, const char* remedy) {
    return base::fail(base::ErrorKind::kUsage, what, where, remedy);
  };
  if (options.live && !options.directory.empty()) {
    return refuse("does not take a recording", "--live", "leave one of them out");
  }
  if (!options.live && options.directory.empty()) {
    return refuse("nothing to show", "reveal top", "give a recording, or --live for this host");
  }
  if (options.live && options.once) {
    return refuse("needs a recording", "--once",
                  "reveal run watches this host and reports as text");
  }
  if (!options.once && (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1)) {
    return refuse("needs a terminal as standard input and output", "reveal top",
                  options.live ? "reveal run watches this host and reports as text"
                               : "--once prints the screen as text");
  }
  return {};
}

std::vector<std::string> recorder_options(const TopArguments& options) {
  std::vector<std::string> out{"--proc-root", options.host.proc_root, "--sys-root",
                               options.host.sys_root};
  const auto* interval = options.settings.flag("record", "interval");
  if (interval != nullptr) out.insert(out.end(), {"--interval", *interval});
  const auto& file = options.settings.file();
  if (!file.empty()) out.insert(out.end(), {"--config", file});
  return out;
}

base::Result<std::unique_ptr<top::WatchedHost>> watch(const TopArguments& options) {
  auto config = options.settings.config();
  if (!config) return base::pass(config);
  if (options.live) return top::watch_live(recorder_options(options), std::move(*config));
  if (store::is_being_written(options.directory)) {
    return top::watch_growing(options.directory, std::move(*config));
  }
  config->channel_shares = true;
  auto pipeline = replayed(options.directory, std::move(*config));
  if (!pipeline) return base::pass(pipeline);
  return top::watch_finished(options.directory, std::move(*pipeline));
}

base::Result<int> show(const TopArguments& options) {
  if (auto sound = check(options); !sound) return base::pass(sound);
  auto host = watch(options);
  if (!host) return base::pass(host);
  const text::Clock clock(zone_of(options.local));
  if (!options.once) return top::show_until_quit(**host, clock);
  return top::print_once(**host, clock).map([] { return 0; });
}

int run(const TopArguments& options) {
  const auto ended_by = show(options);
  if (!ended_by) return complain(ended_by.error());
  if (*ended_by != 0) record::end_as(*ended_by);  // a wait status that is just a signal says so
  return kDone;
}

}  // namespace

Action declare_top(OptionSet& set) {
  auto options = std::make_shared<TopArguments>();
  set.value("DIR", options->directory, "directory of a recording; it may still be growing");
  set.flag("--live", options->live, "watch this host, without keeping a recording");
  set.flag("--once", options->once, "print the screen as text");
  set.flag("--local", options->local, kLocalHelp);
  options->host.declare(set);
  options->settings.declare(set, *settings::find_setting("record", "interval"));
  options->settings.declare(set, "analysis");
  return [options](const Invocation&) { return run(*options); };
}

}  // namespace reveal::cli
