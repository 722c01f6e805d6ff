// The registry of subcommands: a row is a name and a function that declares its options.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/invocation.h"

namespace CLI {
class App;
}

namespace reveal::cli {

// Runs a subcommand whose options have been parsed; returns the exit status.
using Action = std::function<int(const Invocation&)>;

struct Command {
  std::string_view name;
  std::string_view summary;
  bool takes_command;  // accepts "-- CMD..."
  Action (*declare)(CLI::App& app);
  bool hidden = false;  // for reveal itself: neither help nor complaints name it
};

// Returns all subcommands in the order of --help.
std::span<const Command> registry();

// One cmd_*.cc each.
Action declare_run(CLI::App& app);
Action declare_top(CLI::App& app);
Action declare_record(CLI::App& app);
Action declare_analyze(CLI::App& app);
Action declare_explain(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_info(CLI::App& app);
Action declare_repair(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_import(CLI::App& app);
Action declare_dataset(CLI::App& app);
Action declare_sql(CLI::App& app);
Action declare_features(CLI::App& app);
Action declare_scores(CLI::App& app);
Action declare_baseline(CLI::App& app);
Action declare_downsample(CLI::App& app);
Action declare_metrics(CLI::App& app);
Action declare_doctor(CLI::App& app);
Action declare_gpu_reader(CLI::App& app);

// Parses the command line, runs the subcommand and returns the exit status.
int run_command_line(int argc, const char* const* argv);

}  // namespace reveal::cli
