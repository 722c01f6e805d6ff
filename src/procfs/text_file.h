// One kernel text file, kept open and read again and again into one reused buffer.
//
// A read is pread() from offset 0 until it returns 0: seq files hand out whole records and return
// short before the end of the file. The kernel makes the text anew at offset 0, so an open
// descriptor never goes stale on proc and sysfs. On other file systems (captured trees) a replaced
// file is noticed by its link count. A file that cannot be read is closed, and the next read opens
// it again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::procfs {

class TextFile {
 public:
  TextFile() = default;
  explicit TextFile(std::string path) : path_(std::move(path)) {}

  // Returns the whole text, valid until the next read. Fails with kAbsent, kPermission or kIo;
  // allocates only when the text has outgrown every earlier one.
  base::Result<std::string_view> read();

  const std::string& path() const { return path_; }

 private:
  base::Result<void> reopen();
  bool replaced() const;
  base::Unexpected drop(int errno_value, std::string_view what);

  std::string path_;
  base::UniqueFd fd_;
  bool on_kernel_fs_ = false;
  std::vector<char> buffer_;
};

}  // namespace reveal::procfs
