// A new, empty directory that is removed with its object and all of its contents.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/result.h"

namespace reveal::base {

class TempDir {
 public:
  // For tests and benchmarks: the path is empty if no directory can be made.
  TempDir() {
    if (auto made = make("reveal_")) path_.swap(made->path_);
  }
  // Makes it below $TMPDIR, else /tmp; its name begins with `prefix`.
  static Result<TempDir> make(std::string_view prefix) {
    std::error_code failed;
    const auto parent = std::filesystem::temp_directory_path(failed);
    std::string name = (failed ? std::filesystem::path("/tmp") : parent) / prefix;
    name += "XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) return TempDir(std::move(name));
    return fail_errno(errno, "cannot make a temporary folder", name, "TMPDIR names another place");
  }
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&&) = delete;
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace reveal::base
