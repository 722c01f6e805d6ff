// One segment being written. As far as this program can ensure it, its file ends
// with a whole record: a partial append is cut off again. Durable only after
// sync().
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"
#include "store/bytes.h"

namespace reveal::store {

class SegmentFile {
 public:
  // Creates the file; one that exists already is an error.
  static base::Result<SegmentFile> create(const std::filesystem::path& path);
  // Opens the file of another writer, whose whole records take `whole_bytes`: what stands beyond
  // them is cut off before the first append.
  static base::Result<SegmentFile> reopen(const std::filesystem::path& path,
                                          std::uint64_t whole_bytes);

  // Appends all of `bytes` with one write, or leaves the file as it was.
  base::Result<void> append(ByteView bytes);

  // Flushes what was appended to the disk.
  base::Result<void> sync() const;

  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  SegmentFile(std::filesystem::path path, base::UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}
  base::Result<void> write_at_end(ByteView bytes);
  base::Result<void> cut_tail();

  std::filesystem::path path_;
  base::UniqueFd fd_;
  std::uint64_t size_ = 0;  // of its whole records
  bool torn_ = false;       // bytes may stand beyond size_
};

}  // namespace reveal::store
