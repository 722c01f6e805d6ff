// A text that is being read, in pieces: a file, compressed by gzip or not, or a text in memory.
// For one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::exchange {

class TextInput {
 public:
  // Fails if the file is not there, is a directory or may not be read.
  static base::Result<TextInput> open(const std::filesystem::path& path);
  // Reads `text` instead of a file; errors say `where`.
  static TextInput from_memory(std::string text, std::string where);

  TextInput(TextInput&&) noexcept;
  TextInput& operator=(TextInput&&) noexcept;
  ~TextInput();

  // Returns the next piece, valid until the next call; empty at the end. Fails with kCorrupt if
  // compressed bytes are damaged or cut off.
  base::Result<std::string_view> read();
  // Names the text in errors: the path.
  const std::string& where() const { return where_; }

 private:
  struct File;
  explicit TextInput(std::string where);

  std::string where_;
  std::unique_ptr<File> file_;  // none: in memory
  std::string buffer_;
  bool given_ = false;  // the text in memory
};

// Returns the whole text of a file. Fails if it is longer than `most_bytes`, too.
base::Result<std::string> read_text(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace reveal::exchange
