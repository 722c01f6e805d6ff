// reveal health: asks this host's agent how it is, for monitors and schedulers.
#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/option_set.h"
#include "cli/options.h"
#include "cli/output.h"
#include "http/socket_client.h"
#include "serve/health.h"
#include "text/duration.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct HealthArguments {
  AgentSocketOptions agent;
  std::int64_t max_age_ns = std::chrono::nanoseconds(serve::kMostTickAge).count();
  bool slurm = false;
  bool json = false;
};

// The statuses are those of Nagios' plugins, not those of reveal.
int print_health(const HealthArguments& options) {
  const auto status =
      http::fetch_over_socket(options.agent.socket, "/api/v1/status", options.agent.patience);
  const auto verdict = serve::judge_health(status, std::chrono::nanoseconds(options.max_age_ns));
  if (options.json) {
    (void)text::print_data(status ? *status : serve::health_json(verdict));
  } else if (!options.slurm) {
    (void)text::print(text::SafeText(verdict.line + "\n"));
  } else if (!verdict.slurm.empty()) {
    (void)text::print(text::SafeText(verdict.slurm + "\n"));
  }
  return options.slurm ? kDone : static_cast<int>(verdict.health);
}

}  // namespace

Action declare_health(OptionSet& set) {
  auto options = std::make_shared<HealthArguments>();
  options->agent.declare(set);
  set.parsed(
         "--max-age",
         [options](const std::string& text) -> base::Result<void> {
           const auto age = text::parse_duration(text);
           if (!age) return base::pass(age);
           options->max_age_ns = *age;
           return {};
         },
         "a recorder that has not ticked for so long is not known to be well")
      .placeholder("TIME")
      .shows("30s");
  set.flag("--slurm", options->slurm,
           "for HealthCheckProgram: print the reason to drain the node, if there is one; always "
           "end with 0");
  set.flag("--json", options->json,
           "print the agent's status as JSON; if there is none, {\"error\": WHY}");
  return [options](const Invocation&) { return print_health(*options); };
}

}  // namespace reveal::cli
