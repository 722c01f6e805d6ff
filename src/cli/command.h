// The registry of subcommands: a row is a name and a function that declares its options.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/invocation.h"
#include "cli/option_set.h"

namespace reveal::cli {

// Runs a subcommand whose options have been parsed; returns the exit status.
using Action = std::function<int(const Invocation&)>;

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view
      heading;         // of --help; empty: for reveal itself, neither help nor complaints name it
  bool takes_command;  // accepts "-- CMD..."
  Action (*declare)(OptionSet& set);
};

// Returns all subcommands in the order of --help.
std::span<const Command> registry();

// One cmd_*.cc each.
Action declare_run(OptionSet& set);
Action declare_demo(OptionSet& set);
Action declare_demo_job(OptionSet& set);
Action declare_top(OptionSet& set);
Action declare_record(OptionSet& set);
Action declare_analyze(OptionSet& set);
Action declare_explain(OptionSet& set);
Action declare_compare(OptionSet& set);
Action declare_report(OptionSet& set);
Action declare_info(OptionSet& set);
Action declare_repair(OptionSet& set);
Action declare_export(OptionSet& set);
Action declare_import(OptionSet& set);
Action declare_dataset(OptionSet& set);
Action declare_sql(OptionSet& set);
Action declare_select(OptionSet& set);
Action declare_study(OptionSet& set);
Action declare_features(OptionSet& set);
Action declare_scores(OptionSet& set);
Action declare_baseline(OptionSet& set);
Action declare_downsample(OptionSet& set);
Action declare_metrics(OptionSet& set);
Action declare_doctor(OptionSet& set);
Action declare_settings(OptionSet& set);
Action declare_version(OptionSet& set);
Action declare_completion(OptionSet& set);
Action declare_man(OptionSet& set);
Action declare_agent(OptionSet& set);
Action declare_analyser(OptionSet& set);
Action declare_health(OptionSet& set);
Action declare_mark(OptionSet& set);
Action declare_pin(OptionSet& set);
Action declare_gpu_reader(OptionSet& set);
Action declare_agent_recorder(OptionSet& set);
Action declare_agent_judge(OptionSet& set);

// Parses the command line, runs the subcommand and returns the exit status.
int run_command_line(int argc, const char* const* argv);

}  // namespace reveal::cli
