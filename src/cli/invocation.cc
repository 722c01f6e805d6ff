#include "cli/invocation.h"

#include <algorithm>
#include <string_view>

namespace reveal::cli {

Invocation split(int argc, const char* const* argv) {
  const auto* const end = argv + argc;
  const auto* const dashes = std::find(argv + 1, end, std::string_view("--"));
  Invocation out{{argv + 1, dashes}, std::nullopt};
  if (dashes != end) out.command.emplace(dashes + 1, end);
  return out;
}

}  // namespace reveal::cli
