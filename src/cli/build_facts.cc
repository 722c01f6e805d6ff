#include "cli/build_facts.h"

// cmake/commit.cmake writes it: REVEAL_COMMIT and REVEAL_COMMIT_DATE.
#include REVEAL_COMMIT_FILE

namespace reveal::cli {

const BuildFacts& build_facts() {
  static constexpr BuildFacts kFacts{REVEAL_COMMIT, REVEAL_COMMIT_DATE, REVEAL_BUILD_TYPE,
                                     REVEAL_SANITIZERS, REVEAL_DOCUMENTS};
  return kFacts;
}

std::string compiler() {
#ifdef __clang__
  return std::string("Clang ") + __clang_version__;
#else
  return std::string("GCC ") + __VERSION__;
#endif
}

}  // namespace reveal::cli
