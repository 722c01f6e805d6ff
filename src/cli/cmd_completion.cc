#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "manual/completion.h"
#include "text/streams.h"

namespace reveal::cli {

Action declare_completion(OptionSet& set) {
  auto name = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const auto& shell : manual::shells()) names.emplace_back(shell.name);
  set.value("SHELL", *name, "whose script to print, e.g. source <(reveal completion bash)")
      .choices(names)
      .required();
  return [name, &set](const Invocation&) {
    for (const auto& shell : manual::shells()) {
      if (shell.name != *name) continue;
      const auto printed = text::print_data(shell.script(set.parent()->description()));
      return printed ? kDone : complain(printed.error());
    }
    return kUsage;  // never: read() knows the choices
  };
}

}  // namespace reveal::cli
