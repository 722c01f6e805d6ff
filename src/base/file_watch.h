// Tells that files were replaced or written anew, without reading them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace reveal::base {

// What differs once a file is another one, or was written anew. All zero: there is no such file.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::uint32_t mode = 0;
  std::int64_t written_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

// Returns the stamp of what is there now, without opening it. An empty path stands for no file.
FileStamp stamp_of(const std::filesystem::path& file);

// For one thread.
class FileWatch {
 public:
  // What is there now is what is known. An empty path stands for no file.
  explicit FileWatch(std::vector<std::filesystem::path> files);

  // Returns whether some file is another one, or has another size, time or mode, than when it last
  // said so. Only what two calls have found alike counts: who writes several files, or a long one,
  // is not done at the first. To be called every second or so.
  bool has_changed();

 private:
  std::vector<FileStamp> look() const;

  std::vector<std::filesystem::path> files_;
  std::vector<FileStamp> known_;
  std::vector<FileStamp> seen_;  // at the last call
};

}  // namespace reveal::base
