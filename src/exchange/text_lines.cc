#include "exchange/text_lines.h"

#include <fmt/format.h>

namespace reveal::exchange {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string TextLines::where() const {
  return fmt::format("{}, line {}", input_.where(), line_);
}

// Appends the next piece of input. Returns whether there was one.
base::Result<bool> TextLines::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const auto piece = input_.read();
  if (!piece) return base::pass(piece);
  buffer_.append(*piece);
  if (buffer_.size() <= kMaxLineBytes) return !piece->empty();
  return base::fail(base::ErrorKind::kCorrupt, "a line of more than a gibibyte", where(),
                    "break it up: one line a tick");
}

base::Result<std::optional<std::string_view>> TextLines::next() {
  std::size_t searched = begin_;
  for (;;) {
    auto end = buffer_.find('\n', searched);
    if (end == std::string::npos) {
      searched = buffer_.size() - begin_;
      const auto more = fill();
      if (!more) return base::pass(more);
      if (*more) continue;
      if (begin_ >= buffer_.size()) return std::nullopt;
      end = buffer_.size();
    }
    std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = searched = std::min(end + 1, buffer_.size());
    ++line_;
    if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) return line;
  }
}

}  // namespace reveal::exchange
