#include "exchange/csv.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::exchange {
namespace {

using Table = std::vector<std::vector<std::string>>;

base::Result<Table> parse(std::string text, char separator = ',') {
  CsvRecords records(TextInput::from_memory(std::move(text), "f.csv"), separator);
  Table out;
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) return out;
    out.emplace_back((*cells)->begin(), (*cells)->end());
  }
}

std::string error_of(std::string text) {
  const auto parsed = parse(std::move(text));
  return parsed ? "none" : parsed.error().message();
}

TEST(Csv, ReadsWhatTheRfcSays) {
  EXPECT_EQ(*parse("a,b\n1,2\n"), (Table{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(*parse("a,b\r\n1,2\r\n"), (Table{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(*parse("a,b"), (Table{{"a", "b"}}));
  EXPECT_EQ(*parse("\"a,\"\"b\"\"\n\",c\n"), (Table{{"a,\"b\"\n", "c"}}));
  EXPECT_EQ(*parse(",\n"), (Table{{"", ""}}));
  EXPECT_EQ(*parse("\"\"\n"), (Table{{""}}));
  EXPECT_EQ(*parse("a\"b,c\n"), (Table{{"a\"b", "c"}}));
  EXPECT_EQ(*parse("\"a\"\r\n"), (Table{{"a"}}));
}

TEST(Csv, SkipsMarksAndEmptyLines) {
  EXPECT_EQ(*parse("\xEF\xBB\xBF"
                   "a\n\n\r\nb\n\n"),
            (Table{{"a"}, {"b"}}));
  EXPECT_EQ(*parse(""), Table{});
  EXPECT_EQ(*parse("\n\n"), Table{});
}

TEST(Csv, GuessesTheSeparator) {
  EXPECT_EQ(*parse("a;b;c\n1,5;2;3\n", 0), (Table{{"a", "b", "c"}, {"1,5", "2", "3"}}));
  EXPECT_EQ(*parse("a\tb\n", 0), (Table{{"a", "b"}}));
  EXPECT_EQ(*parse("a\n", 0), (Table{{"a"}}));
}

TEST(Csv, SaysWhereQuotesDoNotMatch) {
  EXPECT_EQ(
      error_of("a\n1\n\"b\nc\n"),
      "f.csv, line 3: the quote of cell 1 is never closed (write a quote inside a quoted cell "
      "twice)");
  EXPECT_EQ(error_of("a,\"b\"c\n"),
            "f.csv, line 1: text after the closing quote of cell 2 (write a quote inside a quoted "
            "cell twice)");
  EXPECT_EQ(error_of("\xFF\xFE"
                     "a"),
            "f.csv, line 1: is UTF-16 text (save it as UTF-8)");
}

TEST(Csv, CountsLines) {
  CsvRecords records(TextInput::from_memory("a\n\n\"b\nc\"\nd\n", "f.csv"));
  for (const std::uint64_t line : {1u, 3u, 5u}) {
    ASSERT_TRUE(records.next());
    EXPECT_EQ(records.line(), line);
  }
}

TEST(Csv, GivesBackWhatItWrites) {
  base::Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    Table table(1 + rng.below(3), std::vector<std::string>(2 + rng.below(3)));
    std::string text;
    for (auto& row : table) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::uint64_t n = rng.below(5); n > 0; --n) row[i] += "ab,\"\n\r;"[rng.below(7)];
        if (i > 0) text += ',';
        append_csv_cell(text, row[i]);
      }
      text += '\n';
    }
    EXPECT_EQ(*parse(text), table) << text;
  }
}

}  // namespace
}  // namespace reveal::exchange
