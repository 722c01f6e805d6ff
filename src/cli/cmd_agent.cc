// reveal agent: the service that watches this host; and the two processes that it consists of,
// which help does not list.
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "agent/alerting.h"
#include "agent/fleet_options.h"
#include "agent/judge.h"
#include "agent/recorder.h"
#include "agent/supervisor.h"
#include "agent/web_options.h"
#include "cli/build_facts.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "pipeline/configure.h"
#include "serve/metrics_text.h"
#include "settings/toml_text.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct AgentArguments {
  SettingOptions settings;
  HostOptions host;
  bool check = false;
  bool print = false;
  bool metrics = false;
  int status_fd = -1;
  int marks_fd = -1;

  agent::AgentOptions agent(const settings::Settings& all) const {
    return {.paths = {all.agent.directory}, .config_file = settings.file(), .root = host.root()};
  }
};

// What a process of the agent is started with.
struct Configured {
  settings::Given given;
  settings::Settings settings;
  pipeline::PipelineConfig config;  // of the judge
};

// The file is read once: if it changes meanwhile, all of this is still of one and the same file.
base::Result<Configured> configured(const AgentArguments& options) {
  auto given = options.settings.given();
  if (!given) return base::pass(given);
  auto config = pipeline::configure(*given);
  if (!config) return base::pass(config);
  auto settings = pipeline::settled(*given);
  return Configured{std::move(*given), std::move(settings), std::move(*config)};
}

int told(const base::Result<void>& done) {
  return done ? kDone : complain(done.error());
}

base::Result<void> run_checked(const AgentArguments& options, const Configured& start) {
  const auto& all = start.settings;
  const auto receivers = agent::alert_options(all, {all.agent.directory});
  if (auto sound = alert::check(receivers); !sound) return sound;
  if (options.print) return text::print_data(settings::toml_text(all));
  if (auto sound = agent::check_web(start.given); !sound) return sound;
  if (auto sound = agent::check_fleet(start.given); !sound) return sound;
  if (!options.check) return agent::run_agent(options.agent(all), all);
  if (auto sound = agent::check_fleet_files(start.given); !sound) return sound;
  text::tell("the configuration is sound");
  return {};
}

int run_service(const AgentArguments& options) {
  if (options.metrics) return told(text::print_data(serve::agent_metrics_page()));
  // With the judge's part: a mistake in it is known before anything runs.
  const auto start = configured(options);
  return start ? told(run_checked(options, *start)) : complain(start.error());
}

int run_judge(const AgentArguments& options) {
  auto start = configured(options);
  if (!start) return complain(start.error());
  return told(agent::run_judge({.agent = options.agent(start->settings),
                                .settings = start->settings,
                                .config = std::move(start->config),
                                .status_fd = options.status_fd,
                                .marks_fd = options.marks_fd,
                                .version = REVEAL_VERSION,
                                .commit = std::string(build_facts().commit)}));
}

// A mistake in what is only the judge's does not stop the recorder.
int run_recorder(const AgentArguments& options) {
  const auto all = options.settings.settings();
  if (!all) return complain(all.error());
  return told(agent::run_recorder(options.agent(*all), *all, options.status_fd, options.marks_fd));
}

std::shared_ptr<AgentArguments> declare_common(OptionSet& set) {
  auto out = std::make_shared<AgentArguments>();
  out->settings.declare(set, "agent");
  out->host.declare(set);
  return out;
}

Action declare_part(OptionSet& set, int (*run)(const AgentArguments& options)) {
  auto options = declare_common(set);
  set.number("--status-fd", options->status_fd, 0, std::numeric_limits<int>::max(),
             "memory of the recorder's status")
      .required();
  set.number("--marks-fd", options->marks_fd, 0, std::numeric_limits<int>::max(),
             "memory of the marks for the recorder")
      .required();
  return [options, run](const Invocation&) { return run(*options); };
}

}  // namespace

Action declare_agent(OptionSet& set) {
  auto options = declare_common(set);
  set.flag("--check-config", options->check, "say whether the configuration is sound, and end");
  set.flag("--print-config", options->print,
           "print the settings that would hold, as a reveal.toml, and end");
  set.flag("--metrics", options->metrics, "print what /metrics has, in Markdown, and end");
  return [options](const Invocation&) { return run_service(*options); };
}

Action declare_agent_recorder(OptionSet& set) {
  return declare_part(set, run_recorder);
}

Action declare_agent_judge(OptionSet& set) {
  return declare_part(set, run_judge);
}

}  // namespace reveal::cli
