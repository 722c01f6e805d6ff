// Where a segment's bytes come from: a file, or memory in tests and fuzzers. Files are read with
// pread through one bounded buffer. They are never mapped: the writer may cut a torn tail off while
// we read, and touching a mapped page that is gone would kill the process.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"
#include "store/bytes.h"

namespace reveal::store {

class SegmentBytes {
 public:
  virtual ~SegmentBytes() = default;
  // Returns the size in bytes when it was opened or refreshed.
  virtual std::uint64_t size() const = 0;
  // Returns up to `count` bytes from `offset`, fewer only at the end; valid until the next call.
  virtual base::Result<ByteView> view(std::uint64_t offset, std::uint64_t count) = 0;
  // Takes in what was appended since.
  virtual base::Result<void> refresh() { return {}; }
  // Returns whether they had no name any more when they were refreshed.
  virtual bool removed() const { return false; }
  // As view(), for a few bytes of a place that is then passed over: nothing more is read with them.
  virtual base::Result<ByteView> glance(std::uint64_t offset, std::uint64_t count) {
    return view(offset, count);
  }
};

class MemoryBytes : public SegmentBytes {
 public:
  // REQUIRES: `bytes` outlives this object.
  explicit MemoryBytes(ByteView bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  base::Result<ByteView> view(std::uint64_t offset, std::uint64_t count) override;

 private:
  ByteView bytes_;
};

class FileBytes : public SegmentBytes {
 public:
  static base::Result<FileBytes> open(const std::filesystem::path& path);
  std::uint64_t size() const override { return size_; }
  base::Result<ByteView> view(std::uint64_t offset, std::uint64_t count) override;
  base::Result<ByteView> glance(std::uint64_t offset, std::uint64_t count) override;
  base::Result<void> refresh() override;
  bool removed() const override { return removed_; }

 private:
  FileBytes(std::filesystem::path path, base::UniqueFd fd, std::uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}
  base::Result<void> fill(std::uint64_t offset, std::uint64_t count);
  base::Result<void> read(std::uint64_t offset, std::size_t count, Bytes& out);

  std::filesystem::path path_;
  base::UniqueFd fd_;
  std::uint64_t size_;
  bool removed_ = false;
  Bytes buffer_;
  std::uint64_t buffer_offset_ = 0;
  Bytes few_;  // of the latest glance
};

}  // namespace reveal::store
