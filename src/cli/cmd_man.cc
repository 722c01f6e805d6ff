#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/new_file.h"
#include "cli/build_facts.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "manual/man_page.h"
#include "settings/file.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct ManArguments {
  std::string command;
  std::string output;
  std::string documents;
};

base::Result<void> write_page(const manual::CommandRow& program, const manual::CommandRow& command,
                              const manual::PageFacts& facts, const std::string& folder) {
  const auto file = std::filesystem::path(folder) / (manual::page_name(command) + ".1");
  return base::write_new_file(file, manual::man_page(program, command, facts));
}

base::Result<void> write_all(const manual::CommandRow& program, const manual::PageFacts& facts,
                             const std::string& folder) {
  if (auto done = write_page(program, program, facts, folder); !done) return done;
  for (const auto& command : program.subcommands) {
    if (command.hidden()) continue;
    if (auto done = write_page(program, command, facts, folder); !done) return done;
  }
  return {};
}

base::Result<void> man(const manual::CommandRow& program, const ManArguments& options) {
  auto documents = options.documents;
  if (documents.empty()) documents = installed_documents().string();
  if (documents.empty()) documents = ".";
  const manual::PageFacts facts{REVEAL_VERSION, std::string(build_facts().commit_date),
                                settings::kSystemFile, documents};
  if (!options.output.empty()) return write_all(program, facts, options.output);
  const auto* wanted = &program;
  for (const auto& command : program.subcommands) {
    if (command.name == options.command) wanted = &command;
  }
  return text::print_data(manual::man_page(program, *wanted, facts));
}

}  // namespace

Action declare_man(OptionSet& set) {
  auto options = std::make_shared<ManArguments>();
  std::vector<std::string> names;
  for (const auto& command : registry()) {
    if (!command.heading.empty()) names.emplace_back(command.name);
  }
  auto& command =
      set.value("SUBCOMMAND", options->command,
                "whose page to print, e.g. reveal man record | man -l -; none: reveal's")
          .choices(names);
  set.value("-o,--output", options->output, "existing directory to write all pages to, as files")
      .placeholder("DIR")
      .excludes(command);
  set.value("--documents", options->documents,
            "where the pages say README.md and docs/ are (default: where they are installed)")
      .placeholder("DIR");
  return [options, &set](const Invocation&) {
    const auto done = man(set.parent()->description(), *options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
