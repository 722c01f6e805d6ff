// Reads "key value" files whose lines keep their places while a kernel runs: /proc/meminfo
// ("Dirty:  480 kB") and /proc/vmstat ("pgpgin 1550933").
// https://docs.kernel.org/filesystems/proc.html#meminfo
//
// The layout is learned once: which line holds which key. Later reads only compare the key of each
// line with the remembered one, and learn again when one differs. So a kernel with other keys, a
// key that comes with a module or a text that was rubbish for a while costs one slow read and never
// a wrong value.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class KeyedLayout {
 public:
  // `keys` are the wanted ones. REQUIRES: their text outlives the layout.
  explicit KeyedLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}

  std::size_t size() const { return keys_.size(); }

  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values);

 private:
  static constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);

  struct Line {
    std::string_view key;  // in text_of_keys_
    std::size_t index;     // of the wanted key, or kUnwanted
  };

  bool read_as_learned(std::string_view text, std::span<Value> values) const;
  void learn(std::string_view text);
  std::size_t index_of(std::string_view key) const;

  std::vector<std::string_view> keys_;
  std::string text_of_keys_;
  std::vector<Line> lines_;
};

}  // namespace reveal::procfs
