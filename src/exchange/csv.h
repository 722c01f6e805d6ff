// CSV as RFC 4180 has it: records of cells, quoted if they hold a separator, a quote or a line
// break; a quote inside doubles. A byte order mark is skipped, lines may end in CR LF or LF, empty
// lines are not records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

// Appends a cell, quoted if it has to be.
void append_csv_cell(std::string& out, std::string_view text);

class CsvRecords {
 public:
  using Cells = std::vector<std::string_view>;

  // `separator` 0: the one of , ; and tab that the first line but comments has most of.
  explicit CsvRecords(TextInput input, char separator = ',')
      : input_(std::move(input)), separator_(separator) {}

  // Returns the next record's cells, valid until the next call, or nullptr at the end. Fails with
  // kCorrupt, naming the line, if quotes do not match or a record is absurdly long.
  base::Result<const Cells*> next();

  // Returns the line on which the latest record begins, from 1.
  std::uint64_t line() const { return record_line_; }
  // Returns what parts the cells, once a record was read.
  char separator() const { return separator_; }
  // Returns "FILE, line N" of the latest record.
  std::string where() const;

 private:
  enum class State { kCellStart, kPlain, kQuoted, kQuoteInQuoted };

  base::Result<bool> fill();
  base::Result<void> begin_text();
  base::Result<bool> take(char c);
  bool end_line();
  void end_cell();
  base::Unexpected broken(std::string what, std::string remedy) const;
  base::Result<const Cells*> finish_text();
  const Cells* give();

  TextInput input_;
  char separator_;
  std::string_view piece_;  // what is left of the latest piece of input
  bool begun_ = false;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  State state_ = State::kCellStart;
  std::string text_;               // of all cells of the record
  std::vector<std::size_t> ends_;  // of each, in text_
  Cells cells_;
};

}  // namespace reveal::exchange
