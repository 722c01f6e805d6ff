// Files that are one line of numbers, told apart by their places: /proc/sys/fs/file-nr
// ("638 0 9223372036854775807": open files, 0, the limit) and inode-nr ("295128 88213": inodes in
// memory, free ones among them).
// https://docs.kernel.org/admin-guide/sysctl/fs.html#file-max-file-nr
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class NumberListLayout {
 public:
  // `keys` are the places, "1" the first; any other key has no value.
  explicit NumberListLayout(const std::vector<std::string_view>& keys);
  std::size_t size() const { return places_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::size_t> places_;  // by key; 0 is none
};

}  // namespace reveal::procfs
