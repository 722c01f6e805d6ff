// Texts that are written in turns and wanted one after the other: what does not fit in memory waits
// in a file without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "exchange/text_output.h"

namespace reveal::exchange {

class Spool {
 public:
  // The file goes to `directory`. Fails if none can be made there.
  static base::Result<Spool> create(const std::filesystem::path& directory, std::size_t texts);

  // Appends to text number `text`.
  base::Result<void> append(std::size_t text, std::string_view piece);
  // Appends the whole text to `out`.
  base::Result<void> copy(std::size_t text, TextOutput& out) const;

 private:
  struct Block {
    std::uint64_t offset;
    std::size_t bytes;
  };
  struct Text {
    std::vector<Block> blocks;  // in the file
    std::string rest;           // after them
  };

  Spool(base::UniqueFd fd, std::size_t texts) : fd_(std::move(fd)), texts_(texts) {}

  base::UniqueFd fd_;
  std::uint64_t size_ = 0;
  std::vector<Text> texts_;
};

}  // namespace reveal::exchange
