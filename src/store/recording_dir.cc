#include "store/recording_dir.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace reveal::store {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kSegment = ".rvs";
constexpr std::string_view kJournal = ".rvj";
constexpr const char* kStagingDir = "unfinished";
constexpr std::size_t kMinDigits = 6;

Result<std::vector<std::string>> list_names(const fs::path& dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto it = fs::directory_iterator(dir, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return base::fail_errno(error.value(), "cannot list", dir.string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_name(std::uint32_t number, std::string_view suffix) {
  return fmt::format("{:06}{}", number, suffix);
}

std::optional<std::uint32_t> number_of(std::string_view name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return std::nullopt;
  const std::string_view digits = name.substr(0, name.size() - suffix.size());
  std::uint32_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || digits.size() < kMinDigits) return std::nullopt;
  // Only the one spelling that we write: no second name for a number.
  if (number == 0 || file_name(number, suffix) != name) return std::nullopt;
  return number;
}

Result<std::vector<std::uint32_t>> list_numbers(const fs::path& dir, std::string_view suffix) {
  const auto names = list_names(dir);
  if (!names) return base::pass(names);
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : *names) {
    if (const auto number = number_of(name, suffix)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<void> lock(int dir_fd, const fs::path& dir) {
  if (::flock(dir_fd, LOCK_EX | LOCK_NB) == 0) return {};
  if (errno == EWOULDBLOCK) {
    return base::fail(ErrorKind::kUsage, "another recorder is writing into this directory",
                      dir.string(), "choose another directory");
  }
  // Some network file systems cannot lock a directory. Two recorders still cannot share it there,
  // because each segment is created exclusively.
  return {};
}

}  // namespace

std::string segment_name(std::uint32_t number) {
  return file_name(number, kSegment);
}
std::optional<std::uint32_t> segment_number(std::string_view name) {
  return number_of(name, kSegment);
}
Result<std::vector<std::uint32_t>> list_segments(const fs::path& dir) {
  return list_numbers(dir, kSegment);
}

std::string journal_name(std::uint32_t number) {
  return file_name(number, kJournal);
}
std::optional<std::uint32_t> journal_number(std::string_view name) {
  return number_of(name, kJournal);
}
Result<std::vector<std::uint32_t>> list_journals(const fs::path& dir) {
  return list_numbers(dir, kJournal);
}

Result<void> check_empty(const fs::path& dir) {
  const auto names = list_names(dir);
  if (!names) return base::pass(names);
  for (const std::string& name : *names) {
    if (segment_number(name) || journal_number(name)) {
      return base::fail(ErrorKind::kUsage, "already holds a recording", dir.string(),
                        "choose another directory");
    }
  }
  if (names->empty()) return {};
  return base::fail(ErrorKind::kUsage, fmt::format("holds other files, such as {}", (*names)[0]),
                    dir.string(), "choose an empty directory or a new one");
}

Result<base::UniqueFd> claim_dir(const fs::path& dir) {
  std::error_code error;
  fs::create_directories(dir, error);
  if (error) return base::fail_errno(error.value(), "cannot create the directory", dir.string());
  base::UniqueFd fd(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open the directory", dir.string());
  if (const auto locked = lock(fd.get(), dir); !locked) return base::pass(locked);
  return fd;
}

Result<base::UniqueFd> claim_empty_dir(const fs::path& dir) {
  auto fd = claim_dir(dir);
  if (!fd) return fd;
  if (const auto empty = check_empty(dir); !empty) return base::pass(empty);
  return fd;
}

Result<fs::path> make_staging_dir(const fs::path& dir) {
  if (const auto removed = remove_staging_dir(dir); !removed) return base::pass(removed);
  fs::path staging_dir = dir / kStagingDir;
  std::error_code error;
  fs::create_directory(staging_dir, error);
  if (error) {
    return base::fail_errno(error.value(), "cannot create the directory", staging_dir.string());
  }
  return staging_dir;
}

Result<void> remove_staging_dir(const fs::path& dir) {
  const fs::path staging_dir = dir / kStagingDir;
  std::error_code error;
  fs::remove_all(staging_dir, error);
  if (error) return base::fail_errno(error.value(), "cannot remove", staging_dir.string());
  return {};
}

bool is_being_written(const fs::path& dir) {
  const base::UniqueFd fd(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.valid() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace reveal::store
