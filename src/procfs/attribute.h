// One small file of sysfs that is read seldom: opened, read and closed each time, so that hundreds
// of them hold no descriptors.
//
// Files are opened with O_NONBLOCK: a FIFO in the place of one says nothing, it does not hang. Only
// a line with its newline counts, as everywhere: half a number is an invented value.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::procfs {

class AttributeReader {
 public:
  // Returns the first line, valid until the next read; nothing if there is no file, the kernel
  // refuses (EINVAL, ENODEV, EIO), or the line is not whole. Allocates nothing.
  std::optional<std::string_view> read(const std::string& path);

  // Returns the errno of the last read, 0 if it succeeded or the line was not whole.
  int last_errno() const { return errno_; }

 private:
  std::array<char, 4096> buffer_{};  // sysfs shows at most a page
  int errno_ = 0;
};

// Sets `names` to the entries of a folder in the order of their names, "." and ".." left out.
// Returns false, with no names, if it cannot be listed. Names beyond `limit` are left out.
bool list_folder(const std::string& path, std::vector<std::string>& names, std::size_t limit);

}  // namespace reveal::procfs
