#include "base/new_file.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace reveal::base {

Result<NewFile> NewFile::create(const std::filesystem::path& path) {
  const std::string temporary = path.string() + ".new";
  UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.valid()) return fail_errno(errno, "cannot create", temporary);
  return NewFile(path, std::move(fd));
}

NewFile::~NewFile() {
  if (!path_.empty()) ::unlink(temporary().c_str());
}

Result<void> NewFile::keep() {
  fd_.reset();
  if (::rename(temporary().c_str(), path_.c_str()) != 0) {
    return fail_errno(errno, "cannot replace", path_.string());
  }
  path_.clear();
  return {};
}

}  // namespace reveal::base
