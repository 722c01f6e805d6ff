#include "store/segment_bytes.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::store {
namespace {

constexpr std::uint64_t kReadAheadBytes = 256u << 10;

// Returns the part of `bytes`, which begin at `base`, that [offset, offset + count) asks for.
ByteView part(ByteView bytes, std::uint64_t base, std::uint64_t offset, std::uint64_t count) {
  const std::uint64_t begin = std::min<std::uint64_t>(offset - base, bytes.size());
  const std::uint64_t length = std::min<std::uint64_t>(count, bytes.size() - begin);
  return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
}

}  // namespace

base::Result<ByteView> MemoryBytes::view(std::uint64_t offset, std::uint64_t count) {
  return part(bytes_, 0, offset, count);
}

base::Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open", path);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return base::fail_errno(errno, "cannot read", path);
  if (!S_ISREG(status.st_mode)) {
    return base::fail(base::ErrorKind::kCorrupt, "is not a regular file", path);
  }
  return FileBytes(path, std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

base::Result<ByteView> FileBytes::view(std::uint64_t offset, std::uint64_t count) {
  if (offset >= size_) return ByteView{};
  count = std::min(count, size_ - offset);
  const std::uint64_t buffer_end = buffer_offset_ + buffer_.size();
  if (offset < buffer_offset_ || offset + count > buffer_end) {
    if (const auto filled = fill(offset, count); !filled) return base::pass(filled);
  }
  return part(buffer_, buffer_offset_, offset, count);
}

base::Result<void> FileBytes::refresh() {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return base::fail_errno(errno, "cannot read", path_);
  size_ = static_cast<std::uint64_t>(status.st_size);
  removed_ = status.st_nlink == 0;
  buffer_.clear();
  return {};
}

base::Result<ByteView> FileBytes::glance(std::uint64_t offset, std::uint64_t count) {
  const std::uint64_t buffer_end = buffer_offset_ + buffer_.size();
  if (offset >= buffer_offset_ && offset + count <= buffer_end) return view(offset, count);
  if (offset >= size_) return ByteView{};
  const auto most = static_cast<std::size_t>(std::min(count, size_ - offset));
  if (const auto got = read(offset, most, few_); !got) return base::pass(got);
  return ByteView(few_);
}

base::Result<void> FileBytes::fill(std::uint64_t offset, std::uint64_t count) {
  buffer_offset_ = offset;
  const std::uint64_t most = std::min(std::max(count, kReadAheadBytes), size_ - offset);
  return read(offset, static_cast<std::size_t>(most), buffer_);
}

base::Result<void> FileBytes::read(std::uint64_t offset, std::size_t count, Bytes& out) {
  out.resize(count);
  std::size_t have = 0;
  while (have < out.size()) {
    const auto got =
        ::pread(fd_.get(), out.data() + have, out.size() - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      out.clear();
      return base::fail_errno(error, "cannot read", path_);
    }
    if (got == 0) break;  // cut shorter since it was opened
    have += static_cast<std::size_t>(got);
  }
  out.resize(have);
  return {};
}

}  // namespace reveal::store
