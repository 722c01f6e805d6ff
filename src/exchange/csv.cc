#include "exchange/csv.h"

#include <algorithm>

#include <fmt/format.h>

namespace reveal::exchange {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns the first line that is not a comment, or else the first.
std::string_view first_line(std::string_view text) {
  for (auto left = text; !left.empty();) {
    const auto end = std::min(left.find('\n'), left.size());
    const auto line = left.substr(0, end);
    if (!line.starts_with('#') && line.find_first_not_of(" \r") != std::string_view::npos) {
      return line;
    }
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return text.substr(0, text.find('\n'));
}

char most_frequent_separator(std::string_view text) {
  const auto line = first_line(text);
  char best = ',';
  for (const char candidate : {';', '\t'}) {
    const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
    if (count(candidate) > count(best)) best = candidate;
  }
  return best;
}

bool is_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

void append_csv_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string CsvRecords::where() const {
  return fmt::format("{}, line {}", input_.where(), record_line_);
}

base::Unexpected CsvRecords::broken(std::string what, std::string remedy) const {
  return base::fail(base::ErrorKind::kCorrupt, std::move(what), where(), std::move(remedy));
}

// Returns whether there is more to read.
base::Result<bool> CsvRecords::fill() {
  if (!piece_.empty()) return true;
  const auto piece = input_.read();
  if (!piece) return base::pass(piece);
  piece_ = *piece;
  if (begun_ || piece_.empty()) return !piece_.empty();
  begun_ = true;
  if (auto sound = begin_text(); !sound) return base::pass(sound);
  return !piece_.empty();
}

base::Result<void> CsvRecords::begin_text() {
  if (is_utf16(piece_)) return broken("is UTF-16 text", "save it as UTF-8");
  if (piece_.starts_with(kByteOrderMark)) piece_.remove_prefix(kByteOrderMark.size());
  if (separator_ == 0) separator_ = most_frequent_separator(piece_);
  return {};
}

base::Result<const CsvRecords::Cells*> CsvRecords::next() {
  text_.clear();
  ends_.clear();
  record_line_ = line_;
  state_ = State::kCellStart;
  for (;;) {
    const auto more = fill();
    if (!more) return base::pass(more);
    if (!*more) return finish_text();
    const char c = piece_.front();
    piece_.remove_prefix(1);
    const auto complete = take(c);
    if (!complete) return base::pass(complete);
    if (*complete) return give();
    if (text_.size() > kMaxRecordBytes) {
      return broken("a record of more than 64 MiB", "look for a quote that is never closed");
    }
  }
}

// Takes a character. Returns whether it ends a record.
base::Result<bool> CsvRecords::take(char c) {
  if (c == '\n') ++line_;
  if (state_ == State::kQuoted) {
    if (c == '"') {
      state_ = State::kQuoteInQuoted;
    } else {
      text_ += c;
    }
    return false;
  }
  if (state_ == State::kCellStart && c == '"') {
    state_ = State::kQuoted;
    return false;
  }
  if (state_ == State::kQuoteInQuoted && c == '"') {
    text_ += c;
    state_ = State::kQuoted;
    return false;
  }
  if (c == separator_) {
    end_cell();
    return false;
  }
  if (c == '\n') return end_line();
  if (state_ == State::kQuoteInQuoted && c != '\r') {
    return broken(fmt::format("text after the closing quote of cell {}", ends_.size() + 1),
                  "write a quote inside a quoted cell twice");
  }
  if (state_ == State::kCellStart) state_ = State::kPlain;
  if (state_ == State::kPlain) text_ += c;
  return false;
}

// Returns whether the line held a record.
bool CsvRecords::end_line() {
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  if (state_ == State::kPlain && text_.size() > begin && text_.back() == '\r') text_.pop_back();
  if (ends_.empty() && text_.empty() && state_ != State::kQuoteInQuoted) {
    state_ = State::kCellStart;
    record_line_ = line_;
    return false;
  }
  end_cell();
  return true;
}

void CsvRecords::end_cell() {
  ends_.push_back(text_.size());
  state_ = State::kCellStart;
}

// A last line may lack its line break.
base::Result<const CsvRecords::Cells*> CsvRecords::finish_text() {
  if (state_ == State::kQuoted) {
    return broken(fmt::format("the quote of cell {} is never closed", ends_.size() + 1),
                  "write a quote inside a quoted cell twice");
  }
  return end_line() ? give() : nullptr;
}

const CsvRecords::Cells* CsvRecords::give() {
  cells_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    cells_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
  return &cells_;
}

}  // namespace reveal::exchange
