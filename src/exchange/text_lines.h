// The lines of a text, for formats that are read line by line. Lines end in LF or CR LF; empty
// lines are left out; a byte order mark is skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

class TextLines {
 public:
  explicit TextLines(TextInput input) : input_(std::move(input)) {}

  // Returns the next line without its end, valid until the next call; nothing at the end. Fails
  // with kCorrupt on a line of more than a gibibyte.
  base::Result<std::optional<std::string_view>> next();

  // Returns "FILE, line N" of the latest line.
  std::string where() const;

 private:
  base::Result<bool> fill();

  TextInput input_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is left of it
  std::uint64_t line_ = 0;
};

}  // namespace reveal::exchange
