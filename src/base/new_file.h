// The one way to write a file: it appears whole or not at all, in the place of an older one if
// there is any.
//
// The folder of a recording may belong to another user than the writer, who may be root. So no
// existing file is opened: the temporary has an unguessable name and is created anew (O_EXCL,
// O_NOFOLLOW). A link, pipe or socket with the file's own name is replaced, never followed. The
// folder is held open, so moving it meanwhile changes nothing. If two programs write one file at
// once, one of the two files remains, whole.
//
// The data are on the disk before the file has its name, and the name is on the disk when keep()
// returns. For one thread. Errors name the file, not the temporary.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::base {

class NewFile {
 public:
  // Creates the temporary beside `path`, so that a place where no file can be is known at once, not
  // after an hour of work. Fails also if a folder or a device has that name.
  static Result<NewFile> create(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        temporary_(std::move(other.temporary_)),
        folder_(std::move(other.folder_)),
        fd_(std::move(other.fd_)) {}
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // takes back what was not kept

  int fd() const { return fd_.get(); }
  // Returns the file's own name, for errors.
  std::string shown() const { return path_.string(); }
  // Returns a name by which a library can open what fd() is, and nothing else.
  std::string by_descriptor() const;
  // Appends all of `bytes`.
  Result<void> write(std::string_view bytes);
  // Flushes it to the disk, closes it and gives it its name.
  Result<void> keep();

 private:
  NewFile(std::filesystem::path path, std::string temporary, UniqueFd folder, UniqueFd fd)
      : path_(std::move(path)),
        temporary_(std::move(temporary)),
        folder_(std::move(folder)),
        fd_(std::move(fd)) {}

  std::filesystem::path path_;  // empty: nothing to take back
  std::string temporary_;       // its name in folder_
  UniqueFd folder_;
  UniqueFd fd_;
};

// Writes `text` as the whole content of `path`, all or nothing.
Result<void> write_new_file(const std::filesystem::path& path, std::string_view text);

}  // namespace reveal::base
