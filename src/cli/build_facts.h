// What the build says of this program, besides its version. The build tells build_facts.cc alone,
// so that a new commit compiles one file.
#pragma once

#include <string>
#include <string_view>

namespace reveal::cli {

struct BuildFacts {
  std::string_view commit;                  // 40 hex digits, or "unknown"
  std::string_view commit_date;             // "2026-11-25"; empty if the commit is unknown
  std::string_view build_type;              // of CMake: "Release"; may be empty
  std::string_view sanitizers;              // "address,undefined"; empty: none
  std::string_view documents_from_program;  // the installed documents, from the program's folder
};

const BuildFacts& build_facts();

// Returns "GCC 12.2.0".
std::string compiler();

}  // namespace reveal::cli
