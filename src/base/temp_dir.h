// A new, empty directory that goes away with its object; for tests and benchmarks.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace reveal::base {

class TempDir {
 public:
  // The path is empty where no directory can be made.
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "reveal_XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace reveal::base
