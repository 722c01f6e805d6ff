#include "serve/agent_state.h"

namespace reveal::serve {

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::kLearning:
      return "learning";
    case RunState::kJudging:
      return "judging";
    case RunState::kDegraded:
      return "degraded";
  }
  return "";
}

}  // namespace reveal::serve
