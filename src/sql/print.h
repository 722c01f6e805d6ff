// The result of a statement as text, for people and for other programs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "duck/query_result.h"

namespace reveal::sql {

enum class Format { kTable, kCsv, kJson };

// Where the text goes, piece by piece.
using TextSink = std::function<base::Result<void>(std::string_view)>;

// Writes the whole result.
//   table  aligned columns, numbers to the right; NULL is "NULL"; control characters as \n or \x1b
//   csv    RFC 4180 with a header, lines end in LF; NULL is nothing, an empty text is ""
//   json   an array of one object a row, whose keys are the columns; numbers that JSON does not
//   have
//          (nan, inf) are null. A name that a column before it has gets a number: a, a_2
base::Result<void> print_result(duck::QueryResult& result, Format format, const TextSink& sink);

}  // namespace reveal::sql
