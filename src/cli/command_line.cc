#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr const char* kFooter =
    "Everything after -- is CMD, run with its own input, output, signals and exit status.\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage, 3 too little recorded; with CMD its own,\n"
    "or 125 reveal failed before CMD started, 126 CMD is not executable, 127 CMD was not found.\n";

// With CMD the status is the one of "CMD was not started": CMD's own may be 2.
int usage_error(const Invocation& invocation, const std::string& what, std::string_view command) {
  text::tell(fmt::format("{} (see reveal{}{} --help)", what, command.empty() ? "" : " ", command));
  return invocation.command ? kNotStarted : kUsage;
}

// Returns what is wrong when no subcommand was understood; CLI11 only says that one is required.
std::string no_subcommand(const Invocation& invocation, const std::string& otherwise) {
  if (invocation.words.empty() || invocation.words.front().starts_with('-')) return otherwise;
  std::vector<std::string_view> names;
  for (const auto& command : registry()) {
    if (!command.hidden) names.push_back(command.name);
  }
  return fmt::format("{} is no subcommand; there are {}", invocation.words.front(),
                     fmt::join(names, ", "));
}

// CLI11 takes its words last first.
std::vector<std::string> reversed(const std::vector<std::string>& words) {
  return {words.rbegin(), words.rend()};
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  text::reserve_standard_streams();
  const auto invocation = split(argc, argv);
  CLI::App app("Reveal finds the slowdowns that no dashboard shows, from hardware signals alone.",
               "reveal");
  app.set_version_flag("--version", "reveal " REVEAL_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  std::map<const CLI::App*, std::pair<const Command*, Action>> actions;
  for (const auto& command : registry()) {
    auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    if (command.hidden) sub->group("");
    sub->footer(command.takes_command ? kFooter : "");
    actions[sub] = {&command, command.declare(*sub)};
  }
  try {
    app.parse(reversed(invocation.words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return usage_error(invocation, no_subcommand(invocation, error.what()), {});
    return usage_error(invocation, error.what(), chosen.front()->get_name());
  }
  const auto& [command, action] = actions.at(app.get_subcommands().front());
  if (invocation.command && !command->takes_command) {
    text::tell(fmt::format("{0} takes no -- CMD (see reveal {0} --help)", command->name));
    return kUsage;
  }
  if (invocation.command && invocation.command->empty()) {
    text::tell(fmt::format("nothing follows -- (see reveal {} --help)", command->name));
    return kUsage;
  }
  try {
    return action(invocation);
  } catch (const std::exception& thrown) {
    // Once CMD runs, nothing arrives here.
    return run_without(error_of(thrown), invocation.command.value_or(std::vector<std::string>()));
  }
}

}  // namespace reveal::cli
