#include "duck/session.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "duck/testing/duckdb_fixture.h"

namespace reveal::duck {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

class SessionTest : public DuckdbTest {};

TEST_F(SessionTest, WritesOutEveryTypeThatStatementsGive) {
  auto sql = session();
  EXPECT_EQ(
      rows(sql,
           "SELECT 18446744073709551615::UBIGINT, 1.50::DECIMAL(5,2), [1, NULL], {'x': 1}, "
           "sum(9223372036854775807::BIGINT) FROM range(2)"),
      (Rows{{"18446744073709551615", "1.50", "[1, NULL]", "{'x': 1}", "18446744073709551614"}}));
  EXPECT_EQ(rows(sql, "SELECT 'nan'::DOUBLE, -0.0::DOUBLE, '-inf'::DOUBLE, NULL, true"),
            (Rows{{"nan", "-0.0", "-inf", "NULL", "true"}}));
  EXPECT_EQ(
      rows(sql, "SELECT INTERVAL 3 HOUR, TIMESTAMP '2026-01-02 03:04:05.25', DATE '2026-01-02'"),
      (Rows{{"03:00:00", "2026-01-02 03:04:05.25", "2026-01-02"}}));
}

TEST_F(SessionTest, KeepsTheOrderAndLongTexts) {
  auto sql = session();
  const auto got =
      rows(sql, "SELECT i, repeat('x', 5) || i FROM range(10000) r(i) ORDER BY i DESC");
  ASSERT_EQ(got.size(), 10000u);
  EXPECT_EQ(got.front(), (std::vector<std::string>{"9999", "xxxxx9999"}));
  EXPECT_EQ(got[4321], (std::vector<std::string>{"5678", "xxxxx5678"}));
  EXPECT_EQ(rows(sql, "SELECT repeat('ab', 20)"),
            (Rows{{std::string("abababababababababababababababababababab")}}));
}

TEST_F(SessionTest, SaysWhichColumnsAreNumbers) {
  auto sql = session();
  const auto result = sql.query("SELECT 1 AS a, 1::HUGEINT AS b, 'x' AS c, false AS d, 0.5 AS e");
  ASSERT_TRUE(result);
  std::vector<ResultKind> kinds;
  for (const auto& column : result->columns()) kinds.push_back(column.kind);
  EXPECT_THAT(kinds, ElementsAre(ResultKind::kNumber, ResultKind::kNumber, ResultKind::kText,
                                 ResultKind::kBoolean, ResultKind::kNumber));
}

TEST_F(SessionTest, TakesSeveralStatementsAndViews) {
  auto sql = session();
  EXPECT_EQ(rows(sql, "CREATE VIEW v AS SELECT 3 AS three; SELECT three FROM v;"), (Rows{{"3"}}));
  const auto none = sql.query("CREATE TABLE t (x INTEGER)");
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_TRUE(none->columns().empty());
}

TEST_F(SessionTest, ShowsThePlaceOfAMistake) {
  auto sql = session();
  const auto wrong = sql.query("SELECT 1\nFORM x y");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(wrong.error().message(), AllOf(HasSubstr("LINE 2: FORM x y"), HasSubstr("\n    ")));
  const auto unknown = sql.query("SELECT * FROM nowhere");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, base::ErrorKind::kUsage);
}

TEST_F(SessionTest, ReachesNoFileAndKeepsItsSettings) {
  auto sql = session();
  EXPECT_THAT(rows(sql, "COPY (SELECT 1) TO '/tmp/reveal_must_not_exist.csv'")[0][0],
              HasSubstr("disabled by configuration"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/reveal_must_not_exist.csv"));
  EXPECT_THAT(rows(sql, "SELECT * FROM read_text('/etc/hostname')")[0][0],
              HasSubstr("disabled by configuration"));
  EXPECT_THAT(rows(sql, "SET enable_external_access = true")[0][0], HasSubstr("locked"));
  EXPECT_EQ(rows(sql, "SELECT current_setting('autoinstall_known_extensions')"), (Rows{{"false"}}));
}

TEST_F(SessionTest, StaysWithinItsMemory) {
  auto sql = session({.memory_mib = 64, .threads = 1});
  EXPECT_EQ(rows(sql,
                 "SELECT count(*), sum(i) FROM (SELECT i FROM range(10000000) r(i) "
                 "ORDER BY hash(i))"),
            (Rows{{"10000000", "49999995000000"}}));
}

// The numbers from 0 on, with a null for every third, and an error where it is told.
constexpr Column kColumns[] = {{"i", ColumnType::kInteger, "a number"},
                               {"u", ColumnType::kUnsigned, "its complement"},
                               {"x", ColumnType::kDouble, "half of it, or none"},
                               {"at", ColumnType::kTime, "that many ns before the epoch"},
                               {"word", ColumnType::kText, "its name"},
                               {"odd", ColumnType::kBoolean, "whether it is odd"}};

class Numbers : public RowSource {
 public:
  Numbers(std::int64_t count, std::int64_t fails_at) : count_(count), fails_at_(fails_at) {}
  base::Result<void> fill(RowChunk& chunk) override {
    for (; chunk.room() > 0 && next_ < count_; ++next_) {
      if (next_ == fails_at_) {
        return base::fail(base::ErrorKind::kTooLittle, "enough", "numbers", "ask for fewer");
      }
      add(chunk);
    }
    return {};
  }

 private:
  void add(RowChunk& chunk) const {
    std::optional<double> half;
    if (next_ % 3 != 0) half = static_cast<double>(next_) / 2;
    chunk.add(next_, std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(next_),
              half, Time{-next_}, "number " + std::to_string(next_), next_ % 2 == 1);
  }
  std::int64_t count_;
  std::int64_t fails_at_;
  std::int64_t next_ = 0;
};

Table numbers(std::int64_t count, std::int64_t fails_at = -1) {
  return {"numbers", "Numbers.", kColumns, [=]() -> base::Result<std::unique_ptr<RowSource>> {
            return std::make_unique<Numbers>(count, fails_at);
          }};
}

TEST_F(SessionTest, ReadsATableAllAtOnceAndInPart) {
  auto sql = session();
  ASSERT_TRUE(sql.add_table(numbers(10000)));
  EXPECT_EQ(
      rows(sql, "SELECT * FROM numbers WHERE i IN (3, 4001) ORDER BY i"),
      (Rows{{"3", "18446744073709551612", "NULL", "1969-12-31 23:59:59.999999", "number 3", "true"},
            {"4001", "18446744073709547614", "2000.5", "1969-12-31 23:59:59.999995", "number 4001",
             "true"}}));
  EXPECT_EQ(rows(sql, "SELECT count(*) FROM numbers"), (Rows{{"10000"}}));
  EXPECT_EQ(rows(sql, "SELECT count(x), sum(x), sum(odd::INT), max(word) FROM numbers"),
            (Rows{{"6666", "16663333.5", "5000", "number 9999"}}));
  EXPECT_EQ(rows(sql, "SELECT word FROM numbers LIMIT 1 OFFSET 4000"), (Rows{{"number 4000"}}));
}

TEST_F(SessionTest, ReadsATableTwiceInOneStatement) {
  auto sql = session();
  ASSERT_TRUE(sql.add_table(numbers(5000)));
  EXPECT_EQ(rows(sql, "SELECT count(*) FROM numbers a JOIN numbers b ON a.i = b.i + 1"),
            (Rows{{"4999"}}));
}

TEST_F(SessionTest, ATablesOwnErrorComesBackAsItIs) {
  auto sql = session();
  ASSERT_TRUE(sql.add_table(numbers(10000, 9000)));
  const auto failed = sql.query("SELECT max(i) FROM numbers");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_EQ(failed.error().message(), "numbers: enough (ask for fewer)");
  EXPECT_EQ(rows(sql, "SELECT 1"), (Rows{{"1"}}));
}

TEST(SqlText, DoublesQuotes) {
  EXPECT_EQ(sql_text("it's"), "'it''s'");
}

}  // namespace
}  // namespace reveal::duck
