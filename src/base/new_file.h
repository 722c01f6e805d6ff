// A file that appears whole or not at all, in the place of an older one if there is any.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::base {

class NewFile {
 public:
  // Creates `path`.new, so that a place where no file can be is known at once, not after an hour of
  // work.
  static Result<NewFile> create(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), fd_(std::move(other.fd_)) {}
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // takes back what was not kept

  // Return where it is written, by descriptor and by name.
  int fd() const { return fd_.get(); }
  std::string temporary() const { return path_.string() + ".new"; }
  // Closes it and gives it its name.
  Result<void> keep();

 private:
  NewFile(std::filesystem::path path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::filesystem::path path_;  // empty: nothing to take back
  UniqueFd fd_;
};

}  // namespace reveal::base
