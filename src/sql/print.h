// The result of a statement as text, for people and for other programs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "duck/query_result.h"

namespace reveal::sql {

enum class Format { kTable, kCsv, kJson };

// Returns the one that a word names: csv or json; a table for any other.
Format format_of(std::string_view word);

// Where the text goes, piece by piece.
using TextSink = std::function<base::Result<void>(std::string_view)>;

// What is to be written: columns, whose kinds may change with each row, and the next row, which is
// empty at the end.
struct ShownRows {
  const std::vector<duck::ResultColumn>& columns;
  std::function<base::Result<std::span<const duck::ResultCell>>()> next;
};

// Writes the whole result.
//   table  aligned columns, numbers to the right; NULL is "NULL"; control characters as \n or \x1b
//   csv    RFC 4180 with a header, lines end in LF; NULL is nothing, an empty text is ""
//   json   an array of one object a row, whose keys are the columns; numbers that JSON does not
//   have
//          (nan, inf) are null. A name that a column before it has gets a number: a, a_2
base::Result<void> print_rows(const ShownRows& rows, Format format, const TextSink& sink);
base::Result<void> print_result(duck::QueryResult& result, Format format, const TextSink& sink);

// Has `print` write to a new file, or to stdout if `file` is empty. A file is there once all is
// written.
base::Result<void> print_to(const std::string& file,
                            const std::function<base::Result<void>(const TextSink&)>& print);

}  // namespace reveal::sql
