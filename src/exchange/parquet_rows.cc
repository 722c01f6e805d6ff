// Rows of any table as Parquet.
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "duck/table_appender.h"
#include "exchange/new_parquet_file.h"
#include "exchange/parquet.h"
#include "exchange/parquet_file.h"

namespace reveal::exchange {
namespace {

using base::Result;

constexpr const char* kTable = "rows";

duck::ColumnType type_of(CellType type) {
  switch (type) {
    case CellType::kText:
      return duck::ColumnType::kText;
    case CellType::kReal:
      return duck::ColumnType::kDouble;
    case CellType::kInteger:
      return duck::ColumnType::kInteger;
    case CellType::kCount:
      return duck::ColumnType::kUnsigned;
    case CellType::kTruth:
      break;
  }
  return duck::ColumnType::kBoolean;
}

class ParquetRows : public RowSink {
 public:
  ParquetRows(base::NewFile file, duck::Session session)
      : file_(std::move(file)), session_(std::move(session)) {}

  Result<void> begin(std::span<const RowColumn> columns) override {
    std::vector<duck::ColumnType> types;
    for (const auto& column : columns) {
      names_.push_back(column.name);
      types.push_back(type_of(column.type));
    }
    auto made = duck::TableAppender::create(session_, kTable, types);
    if (!made) return base::pass(made);
    appender_.emplace(std::move(*made));
    return {};
  }

  Result<void> write(std::span<const Cell> row) override {
    const auto rows = appender_->rows();
    if (!rows) return base::pass(rows);
    (*rows)->begin_row();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::visit([&](const auto& value) { set(**rows, i, value); }, row[i]);
    }
    return {};
  }

  Result<void> finish() override {
    if (auto done = appender_->finish(); !done) return done;
    appender_.reset();
    const auto copied = session_.execute(
        fmt::format("COPY (SELECT {} FROM {}) TO {} (FORMAT parquet, COMPRESSION zstd, "
                    "USE_TMP_FILE false)",
                    named_columns(names_), kTable, duck::sql_text(file_.by_descriptor())));
    if (!copied) return copied;
    return file_.keep();
  }

 private:
  template <typename T>
  static void set(duck::RowChunk& rows, std::size_t column, const T& value) {
    if constexpr (std::is_same_v<T, std::monostate>) {
      rows.set_null(column);
    } else if constexpr (std::is_same_v<T, std::string>) {
      rows.set(column, std::string_view(value));
    } else {
      rows.set(column, value);
    }
  }

  base::NewFile file_;
  duck::Session session_;
  std::vector<std::string> names_;
  std::optional<duck::TableAppender> appender_;
};

}  // namespace

Result<std::unique_ptr<RowSink>> make_parquet_rows(const std::filesystem::path& path) {
  auto session = open_file_session();
  if (!session) return base::pass(session);
  auto file = new_parquet_file(path);
  if (!file) return base::pass(file);
  return std::make_unique<ParquetRows>(std::move(*file), std::move(*session));
}

}  // namespace reveal::exchange
