#include "procfs/attribute_file.h"

#include <cerrno>
#include <charconv>
#include <cmath>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

std::string_view value_of_line(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> decimal(std::string_view word) {
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string_view> AttributeFile::fail(int errno_value) {
  fd_.reset();
  error_ = errno_value;
  return std::nullopt;
}

bool AttributeFile::open() {
  fd_.reset(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd_.valid()) return false;
  if (keep_ == Keep::kOpen) {
    struct statfs fs {};
    on_sysfs_ = ::fstatfs(fd_.get(), &fs) == 0 && fs.f_type == SYSFS_MAGIC;
  }
  return true;
}

// Returns whether a file of a captured tree, kept open, has been removed or replaced.
bool AttributeFile::is_stale() const {
  if (on_sysfs_) return false;
  struct stat status {};
  return ::fstat(fd_.get(), &status) != 0 || status.st_nlink == 0;
}

std::optional<std::string_view> AttributeFile::read(std::span<char> buffer) {
  if (fd_.valid() && is_stale()) fd_.reset();
  if (!fd_.valid() && !open()) return fail(errno);
  ssize_t got = 0;
  do {
    got = ::pread(fd_.get(), buffer.data(), buffer.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(errno);
  if (keep_ == Keep::kClosed) fd_.reset();
  error_ = 0;
  return std::string_view(buffer.data(), static_cast<std::size_t>(got));
}

std::optional<std::string_view> first_line(std::string_view text) {
  std::string_view line;
  if (!LineCursor(text).next(line)) return std::nullopt;
  return value_of_line(line);
}

std::string read_line(const std::string& path) {
  AttributeBuffer buffer;
  const auto text = AttributeFile(path).read(buffer);
  return text ? std::string(first_line(*text).value_or("")) : std::string();
}

Value parse_whole(std::string_view text) {
  const auto line = first_line(text);
  return line ? parse_u64(*line) : std::nullopt;
}

std::optional<double> parse_decimal(std::string_view text) {
  const auto line = first_line(text);
  return line ? decimal(*line) : std::nullopt;
}

std::optional<double> parse_link_speed(std::string_view text) {
  const auto line = first_line(text);
  if (!line) return std::nullopt;
  WordCursor words(*line);
  std::string_view number;
  std::string_view unit;
  if (!words.next(number) || !words.next(unit) || unit != "GT/s") return std::nullopt;
  const auto value = decimal(number);
  return value && *value > 0 ? value : std::nullopt;
}

Value value_of_key(std::string_view text, std::string_view key) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view word;
    Value value;
    if (!words.next(word)) continue;
    if (word.ends_with(':')) word.remove_suffix(1);
    if (word == key && words.next(value)) return value;
  }
  return std::nullopt;
}

}  // namespace reveal::procfs
