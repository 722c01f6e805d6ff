// The one way to write a file: it appears whole or not at all, in the place of an older one if
// there is any.
//
// A recording's folder may belong to somebody else than whoever writes into it, root perhaps. So
// nothing that is there is opened: the temporary has a name that nobody can guess, and is created
// anew (O_EXCL, O_NOFOLLOW); a link, pipe or socket of the file's own name is replaced, never
// followed. Its folder is held open, so a folder that is moved meanwhile changes nothing. Two
// writers of one file at once leave one of the two, whole.
//
// What is kept is on the disk before it has its name, and its name is on the disk when keep()
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
