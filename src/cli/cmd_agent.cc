// reveal agent: the service that watches this host; and the two processes that it consists of,
// which help does not list.
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/configuration.h"
#include "agent/judge.h"
#include "agent/recorder.h"
#include "agent/store_check.h"
#include "agent/supervisor.h"
#include "cli/build_facts.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "serve/metrics_text.h"
#include "settings/toml_text.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct AgentArguments {
  SettingOptions settings;
  HostOptions host;
  bool check = false;
  bool check_store = false;
  bool print = false;
  bool metrics = false;
  int status_fd = -1;
  int marks_fd = -1;
  int config_fd = -1;
  std::vector<std::string> not_in_force;

  agent::AgentOptions agent(const settings::Settings& all) const {
    return {.paths = {all.agent.directory},
            .config_file = settings.file(),
            .root = host.root(),
            .with_documents = with_documents};
  }
};

int told(const base::Result<void>& done) {
  return done ? kDone : complain(done.error());
}

base::Result<void> run_or_print(const AgentArguments& options, const agent::Configuration& start) {
  const auto& all = start.settings;
  if (options.print) return text::print_data(settings::toml_text(all));
  if (auto sound = agent::check_ways(start.given); !sound) return sound;
  return agent::run_agent(options.agent(all), start);
}

// Says all that is wrong, not only what comes first.
int check_configuration(const AgentArguments& options) {
  int status = kDone;
  for (const auto& mistake :
       agent::mistakes_in(options.settings.file(), options.settings.flags())) {
    status = complain(mistake);
  }
  if (status == kDone) text::tell("the configuration is sound");
  return status;
}

// Looks at what is on the disk, whether an agent runs or not.
int check_store(const std::string& directory) {
  const auto check = agent::check_store({directory});
  if (!check) return complain(check.error());
  for (const auto& remark : check->remarks) text::tell(remark);
  for (const auto& damage : check->damage) complain(damage);
  text::tell(agent::summary_of(*check));
  return check->damage.empty() ? kDone : kFailed;
}

// The file is read once: if it changes meanwhile, all of this is still of one and the same file.
int run_service(const AgentArguments& options) {
  if (options.metrics) return told(text::print_data(serve::agent_metrics_page()));
  const int sound = options.check ? check_configuration(options) : kDone;
  if (sound != kDone || (options.check && !options.check_store)) return sound;
  // With the judge's part: a mistake in it is known before anything runs.
  const auto start = agent::read_configuration(options.settings.file(), options.settings.flags());
  if (!start) return complain(start.error());
  if (options.check_store) return check_store(start->settings.agent.directory);
  return told(run_or_print(options, *start));
}

int run_judge(const AgentArguments& options) {
  auto held = agent::held_configuration(options.config_fd, options.settings.file(),
                                        options.settings.flags());
  if (!held) return complain(held.error());
  const auto paths = options.agent(held->settings);
  return told(agent::run_judge({.agent = paths,
                                .configuration = std::move(*held),
                                .not_in_force = options.not_in_force,
                                .status_fd = options.status_fd,
                                .marks_fd = options.marks_fd,
                                .version = REVEAL_VERSION,
                                .commit = std::string(build_facts().commit)}));
}

// A mistake in what is only the judge's does not stop the recorder.
int run_recorder(const AgentArguments& options) {
  const auto all =
      agent::held_settings(options.config_fd, options.settings.file(), options.settings.flags());
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
  set.number("--config-fd", options->config_fd, 0, std::numeric_limits<int>::max(),
             "memory of the configuration that holds")
      .required();
  set.value("--not-in-force", options->not_in_force, "a key of the file that waits for a restart");
  return [options, run](const Invocation&) { return run(*options); };
}

}  // namespace

Action declare_agent(OptionSet& set) {
  auto options = declare_common(set);
  set.flag("--check-config", options->check, "say what is wrong with the configuration, and end");
  set.flag("--check-store", options->check_store,
           "say what is damaged of all that the agent keeps, without changing it, and end");
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
