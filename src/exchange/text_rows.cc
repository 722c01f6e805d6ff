#include "exchange/text_rows.h"

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "exchange/csv.h"
#include "exchange/json_text.h"
#include "exchange/number_text.h"
#include "exchange/text_output.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::Result;

bool is_nothing(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (real != nullptr && std::isnan(*real));
}

// Appends a cell that is there; texts as `append_text` writes them, real numbers as `append_real`.
template <typename AppendText, typename AppendReal>
void append_cell(std::string& out, const Cell& cell, AppendText append_text,
                 AppendReal append_real) {
  if (const auto* text = std::get_if<std::string>(&cell)) append_text(out, *text);
  if (const auto* real = std::get_if<double>(&cell)) {
    append_real(out, std::bit_cast<std::uint64_t>(*real), model::Repr::kF64);
  }
  if (const auto* number = std::get_if<std::int64_t>(&cell)) text::append_number(out, *number);
  if (const auto* number = std::get_if<std::uint64_t>(&cell)) text::append_number(out, *number);
  if (const auto* truth = std::get_if<bool>(&cell)) out += *truth ? "true" : "false";
}

class CsvRows : public RowSink {
 public:
  explicit CsvRows(TextOutput output) : output_(std::move(output)) {}

  Result<void> begin(std::span<const RowColumn> columns) override {
    line_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line_ += ',';
      append_csv_cell(line_, columns[i].name);
    }
    return output_.append(line_ + '\n');
  }

  Result<void> write(std::span<const Cell> row) override {
    line_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line_ += ',';
      if (!is_nothing(row[i])) append_cell(line_, row[i], append_csv_cell, append_sample);
    }
    return output_.append(line_ + '\n');
  }

  Result<void> finish() override { return output_.finish(); }

 private:
  TextOutput output_;
  std::string line_;
};

void append_json_text(std::string& out, const std::string& text) {
  out += json_text(text);
}

class JsonRows : public RowSink {
 public:
  explicit JsonRows(TextOutput output) : output_(std::move(output)) {}

  Result<void> begin(std::span<const RowColumn> columns) override {
    for (const auto& column : columns) {
      keys_.push_back(json_text(column.name) + ':');
    }
    return {};
  }

  Result<void> write(std::span<const Cell> row) override {
    line_ = "{";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line_ += ',';
      line_ += keys_[i];
      if (is_nothing(row[i])) {
        line_ += "null";
      } else {
        append_cell(line_, row[i], append_json_text, append_json_sample);
      }
    }
    return output_.append(line_ + "}\n");
  }

  Result<void> finish() override { return output_.finish(); }

 private:
  TextOutput output_;
  std::vector<std::string> keys_;
  std::string line_;
};

template <typename Rows>
Result<std::unique_ptr<RowSink>> make(const std::filesystem::path& path, bool gzip) {
  auto output = TextOutput::create(path, gzip);
  if (!output) return base::pass(output);
  return std::make_unique<Rows>(std::move(*output));
}

}  // namespace

Result<std::unique_ptr<RowSink>> make_csv_rows(const std::filesystem::path& path) {
  return make<CsvRows>(path, false);
}

Result<std::unique_ptr<RowSink>> make_csv_gz_rows(const std::filesystem::path& path) {
  return make<CsvRows>(path, true);
}

Result<std::unique_ptr<RowSink>> make_json_rows(const std::filesystem::path& path) {
  return make<JsonRows>(path, path.extension() == ".gz");
}

}  // namespace reveal::exchange
