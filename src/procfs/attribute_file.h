// One attribute of the kernel's device model: a file of at most a page that says one thing, such as
// /sys/class/hwmon/hwmon0/temp1_input.
//
// The kernel makes the text in one go, so one pread() has all of it. There are thousands of these
// files on a large host: the buffer is the caller's, and a file may be opened anew for each reading
// if descriptors are scarce. A failure is no more than its errno, because sensors that cannot be
// read now (EIO, EAGAIN) are normal and must not cost an allocation a reading. A descriptor of
// sysfs fails with ENODEV once its device has gone, and is then opened anew.
// https://docs.kernel.org/filesystems/sysfs.html#reading-writing-attribute-data
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "procfs/text_cursor.h"

namespace reveal::procfs {

using AttributeBuffer = std::array<char, 4096>;

class AttributeFile {
 public:
  enum class Keep : std::uint8_t { kOpen, kClosed };  // between readings

  explicit AttributeFile(std::string path, Keep keep = Keep::kClosed)
      : path_(std::move(path)), keep_(keep) {}

  // Returns the text, in `buffer` and as much as fits it, or nothing if the file cannot be read.
  std::optional<std::string_view> read(std::span<char> buffer);

  const std::string& path() const { return path_; }
  // Returns the errno of the latest reading, 0 if it succeeded.
  int error() const { return error_; }

 private:
  std::optional<std::string_view> fail(int errno_value);
  bool is_stale() const;
  bool open();

  std::string path_;
  base::UniqueFd fd_;
  bool on_sysfs_ = false;
  int error_ = 0;
  Keep keep_;
};

// Returns the first line without the blanks around it, or nothing if no line is complete.
std::optional<std::string_view> first_line(std::string_view text);

// Returns the attribute's line, owned; empty if there is none. For names and labels.
std::string read_line(const std::string& path);

// Return the first line as a number, nothing if it is anything else: "1200000", "-5000", "0.5".
Value parse_whole(std::string_view text);
std::optional<double> parse_decimal(std::string_view text);

// Returns the GT/s of a PCIe link: "16.0 GT/s PCIe", "8 GT/s"; nothing for "Unknown" and for 0.
std::optional<double> parse_link_speed(std::string_view text);

// Returns the number behind `key`, the first word of its line: "TOTAL_ERR_COR 2", "ue: 3".
Value value_of_key(std::string_view text, std::string_view key);

}  // namespace reveal::procfs
