#include "store/segment_file.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace reveal::store {

using base::Result;

Result<SegmentFile> SegmentFile::create(const std::filesystem::path& path) {
  base::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.valid()) return base::fail_errno(errno, "cannot create", path.string());
  return SegmentFile(path, std::move(fd));
}

Result<SegmentFile> SegmentFile::reopen(const std::filesystem::path& path,
                                        std::uint64_t whole_bytes) {
  base::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open", path.string());
  SegmentFile out(path, std::move(fd));
  out.size_ = whole_bytes;
  out.torn_ = true;
  return out;
}

Result<void> SegmentFile::append(ByteView bytes) {
  if (torn_) {
    if (const auto cut = cut_tail(); !cut) return cut;
  }
  const auto written = write_at_end(bytes);
  if (written) {
    size_ += bytes.size();
    return {};
  }
  torn_ = true;
  // A failure to cut is met again, and reported, at the next append.
  static_cast<void>(cut_tail());
  return written;
}

Result<void> SegmentFile::write_at_end(ByteView bytes) {
  std::uint64_t at = size_;
  while (!bytes.empty()) {
    const auto count = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno(errno, "cannot write", path_.string());
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  return {};
}

Result<void> SegmentFile::sync() const {
  if (::fdatasync(fd_.get()) == 0) return {};
  return base::fail_errno(errno, "cannot flush to the disk", path_.string());
}

Result<void> SegmentFile::cut_tail() {
  if (::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) {
    return base::fail_errno(errno, "cannot cut a torn record off", path_.string());
  }
  torn_ = false;
  return {};
}

}  // namespace reveal::store
