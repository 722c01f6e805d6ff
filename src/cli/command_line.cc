#include <exception>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/option_set.h"
#include "cli/output.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr const char* kFooter =
    "Everything after -- is CMD, run with its own input, output, signals and exit\n"
    "status. Exit status: 0 done, 1 failed, 2 wrong usage, 3 too little recorded,\n"
    "4 found what --fail-on asked about, 75 another agent has the folder; with CMD\n"
    "its own, or 125 reveal failed before CMD started, 126 CMD is not executable,\n"
    "127 CMD not found.\n";

// With CMD the status is the one of "CMD was not started": CMD's own may be 2.
int usage_error(const Invocation& invocation, const base::Error& error) {
  text::tell(with_documents(error.message()));
  return invocation.command ? kNotStarted : kUsage;
}

// `reveal help` is `reveal --help`, and `reveal help record` is `reveal record --help`.
std::vector<std::string> without_help(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

struct Declared {
  const Command* command = nullptr;
  Action action;
};

// Declares all subcommands; returns what each of them does.
std::map<const OptionSet*, Declared> declare_all(OptionSet& program) {
  std::map<const OptionSet*, Declared> out;
  program.footer(kFooter);
  for (const auto& command : registry()) {
    auto& options = program.subcommand(command.name, command.summary, command.heading);
    if (command.takes_command) {
      options.footer(kFooter);
      options.takes_command();
    }
    out[&options] = {&command, command.declare(options)};
  }
  return out;
}

// Returns the subcommand that was named, without a subcommand of its own.
const OptionSet* named_in(const OptionSet& program) {
  const OptionSet* at = &program.chosen();
  while (at->parent() != &program) at = at->parent();
  return at;
}

int act(const Declared& declared, const Invocation& invocation) {
  const auto& [command, action] = declared;
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

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  text::reserve_standard_streams();
  const auto invocation = split(argc, argv);
  OptionSet program("reveal",
                    "Reveal finds the slowdowns that no dashboard shows, from hardware signals "
                    "alone.",
                    "reveal " REVEAL_VERSION);
  const auto declared = declare_all(program);
  if (auto read = program.read(without_help(invocation.words)); !read) {
    return usage_error(invocation, read.error());
  }
  if (program.wanted_text()) {
    const auto printed = text::print(text::SafeText(with_documents(*program.wanted_text())));
    return printed ? kDone : complain(printed.error());
  }
  return act(declared.at(named_in(program)), invocation);
}

}  // namespace reveal::cli
