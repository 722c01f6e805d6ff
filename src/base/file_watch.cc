#include "base/file_watch.h"

#include <utility>

#include <sys/stat.h>

namespace reveal::base {
namespace {

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStamp stamp_of(const std::filesystem::path& file) {
  struct stat found {};
  if (file.empty() || ::stat(file.c_str(), &found) != 0) return {};
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .size = found.st_size,
          .mode = found.st_mode,
          .written_ns = ns_of(found.st_mtim),
          .changed_ns = ns_of(found.st_ctim)};
}

std::vector<FileStamp> FileWatch::look() const {
  std::vector<FileStamp> out;
  out.reserve(files_.size());
  for (const auto& file : files_) out.push_back(stamp_of(file));
  return out;
}

FileWatch::FileWatch(std::vector<std::filesystem::path> files)
    : files_(std::move(files)), known_(look()), seen_(known_) {}

bool FileWatch::has_changed() {
  auto now = look();
  const bool is_settled = now == seen_;
  seen_ = std::move(now);
  if (!is_settled || seen_ == known_) return false;
  known_ = seen_;
  return true;
}

}  // namespace reveal::base
