#include "base/new_file.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::base {
namespace {

// So many names in a row are taken only if somebody takes them on purpose.
constexpr int kMaxNames = 100;
// Of the file's own name in the temporary's: file systems allow 255 bytes in all.
constexpr std::size_t kLongestStem = 200;

std::uint64_t random_number() {
  std::uint64_t out = 0;
  if (::getrandom(&out, sizeof out, GRND_NONBLOCK) == sizeof out) return out;
  // Early in the boot. O_EXCL holds whatever the name.
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_nsec) * 0x9E3779B97F4A7C15U ^
         static_cast<std::uint64_t>(::getpid());
}

// A folder that may be written into but not listed is opened for its name alone.
UniqueFd open_folder(const std::filesystem::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid() && errno == EACCES) {
    fd.reset(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return fd;
}

// Some file systems, and descriptors for a name alone, cannot flush; then nothing needs it.
bool flushed(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

}  // namespace

Result<NewFile> NewFile::create(const std::filesystem::path& path) {
  const auto refused = [&](int reason) {
    return fail_errno(reason, "cannot create", path.string());
  };
  const std::string name = path.filename().string();
  if (name.empty() || name == "." || name == "..") return refused(EISDIR);
  UniqueFd folder = open_folder(path);
  if (!folder.valid()) return refused(errno);
  struct stat there {};
  if (::fstatat(folder.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISDIR(there.st_mode)) return refused(EISDIR);
    // Root's file in place of /dev/null would be the end of that host.
    if (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode)) return refused(EEXIST);
  }
  for (int i = 0; i < kMaxNames; ++i) {
    std::string temporary =
        fmt::format("{}.{:016x}.new", name.substr(0, kLongestStem), random_number());
    UniqueFd fd(::openat(folder.get(), temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (fd.valid()) return NewFile(path, std::move(temporary), std::move(folder), std::move(fd));
    if (errno != EEXIST) return refused(errno);
  }
  return refused(EEXIST);
}

NewFile::~NewFile() {
  if (!path_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

std::string NewFile::by_descriptor() const {
  return fmt::format("/proc/self/fd/{}", fd_.get());
}

Result<void> NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(errno, "cannot write", shown());
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> NewFile::keep() {
  if (!flushed(fd_.get())) return fail_errno(errno, "cannot flush to the disk", shown());
  // A network file system may report only now that it is full.
  if (::close(fd_.release()) != 0 && errno != EINTR) {
    return fail_errno(errno, "cannot write", shown());
  }
  const std::string name = path_.filename().string();
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str()) != 0) {
    return fail_errno(errno, "cannot replace", shown());
  }
  const std::string kept = shown();
  path_.clear();
  if (!flushed(folder_.get()))
    return fail_errno(errno, "cannot flush its folder to the disk", kept);
  return {};
}

Result<void> write_new_file(const std::filesystem::path& path, std::string_view text) {
  auto file = NewFile::create(path);
  if (!file) return pass(file);
  if (auto written = file->write(text); !written) return written;
  return file->keep();
}

}  // namespace reveal::base
