#include "cli/page_remedy.h"

#include <filesystem>
#include <system_error>

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;

// build/PRESET/reveal of a clone, in which the page can be built.
bool is_in_source_tree() {
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return false;
  const auto tree = program.parent_path().parent_path().parent_path();
  return fs::is_regular_file(tree / "tools" / "build_page.sh", failed);
}

}  // namespace

std::string page_remedy() {
  if (is_in_source_tree()) return "make deps-page build, with a network";
  return "install a reveal that has it (of which reveal version says: page, built in); report.json "
         "and the text of the report have the same findings";
}

}  // namespace reveal::cli
