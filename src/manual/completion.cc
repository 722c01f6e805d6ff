#include "manual/completion.h"

#include <array>

namespace reveal::manual {

std::span<const Shell> shells() {
  static constexpr std::array<Shell, 3> kShells{
      {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};
  return kShells;
}

std::vector<const CommandRow*> listed_commands(const CommandRow& program) {
  std::vector<const CommandRow*> out{&program};
  for (const auto& one : program.subcommands) {
    if (one.hidden()) continue;
    for (const auto* below : listed_commands(one)) out.push_back(below);
  }
  return out;
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace reveal::manual
