// Tells that files were replaced or written anew, without reading them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace reveal::base {

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
  // All zero: there is no such file.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::uint32_t mode = 0;
    std::int64_t written_ns = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::filesystem::path& file);
  std::vector<Stamp> look() const;

  std::vector<std::filesystem::path> files_;
  std::vector<Stamp> known_;
  std::vector<Stamp> seen_;  // at the last call
};

}  // namespace reveal::base
