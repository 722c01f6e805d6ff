#include "cli/documents.h"

#include <system_error>

#include "cli/build_facts.h"
#include "manual/documents.h"

namespace reveal::cli {
namespace fs = std::filesystem;

fs::path installed_documents() {
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  auto folder = (program.parent_path() / build_facts().documents_from_program).lexically_normal();
  return fs::is_directory(folder / "docs", failed) ? folder : fs::path();
}

std::string with_documents(const std::string& text) {
  const auto folder = installed_documents();
  if (folder.empty()) return text;
  return manual::with_documents(text, folder, [](const fs::path& path) {
    std::error_code failed;
    return fs::is_regular_file(path, failed);
  });
}

}  // namespace reveal::cli
