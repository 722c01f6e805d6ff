// Who asks, and what they may do.
#pragma once

#include <cstdint>
#include <string>

namespace reveal::access {

enum class Role : std::uint8_t {
  kNobody,    // not known, or not asked
  kViewer,    // may read all
  kOperator,  // and change what can be changed
};

struct Who {
  std::string name = {};
  Role role = Role::kNobody;
};

}  // namespace reveal::access
