// One kernel text file, kept open and read again and again into one reused buffer.
//
// A read is pread() from offset 0 until it returns 0: seq files hand out whole records, as many as
// fit a buffer of the kernel's that has a page at least, and return short before the end of the
// file. Where that buffer had room for one more record, the short text is the whole, and the last
// call is saved; for some files it costs as much as the first. The kernel makes the text anew at
// offset 0, so an open descriptor never goes stale on proc and sysfs. On other file systems
// (captured trees) a replaced file is noticed by its link count. A file that cannot be read is
// closed, and the next read opens it again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::procfs {

// The size of a file's records, in bytes: nothing is known, or the whole text is one (single_open()
// in the kernel's source).
inline constexpr std::size_t kAnyRecord = static_cast<std::size_t>(-1);
inline constexpr std::size_t kOneRecord = 0;

class TextFile {
 public:
  TextFile() = default;
  // `longest_record`: none of the file's is longer.
  explicit TextFile(std::string path, std::size_t longest_record = kAnyRecord)
      : path_(std::move(path)), longest_record_(longest_record) {}

  // Returns the whole text, valid until the next read. Fails with kAbsent, kPermission or kIo;
  // allocates only when the text has outgrown every earlier one.
  base::Result<std::string_view> read();

  const std::string& path() const { return path_; }
  // Returns whether the latest read was of proc or sysfs, not of a captured tree.
  bool is_of_kernel() const { return on_kernel_fs_; }

 private:
  base::Result<void> reopen();
  bool replaced() const;
  bool is_end(std::size_t got, std::size_t room) const;
  base::Unexpected drop(int errno_value, std::string_view what);

  std::string path_;
  std::size_t longest_record_ = kAnyRecord;
  base::UniqueFd fd_;
  bool on_kernel_fs_ = false;
  std::vector<char> buffer_;
};

}  // namespace reveal::procfs
