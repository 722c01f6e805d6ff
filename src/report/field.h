// The parts of a registry of fields. Each row states the name, type, meaning and source of a value
// once. JSON, CSV, SQL, the reference page and the tests loop over the rows
// (report/finding_fields.h).
//
// JSON has a field under its name. Tables have no objects: a column is named like the path in JSON,
// with _ for the dots: `begin.ns` is `begin_ns`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attribute/patterns.h"

namespace reveal::report {

enum class FieldType : std::uint8_t { kTruth, kCount, kReal, kText, kTexts, kTime, kShares };

// Wall time, ns since the epoch.
struct WallTime {
  std::int64_t ns = 0;
};

using Texts = std::vector<std::string>;

// std::monostate and NaN: no value.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, Texts,
                           WallTime, attribute::SubsystemShares>;

// Where a field is written: report.json leaves out fields that it implies otherwise.
enum class Written : std::uint8_t { kEverywhere, kInTables };

template <typename Subject>
struct Field {
  std::string_view name;
  FieldType type = FieldType::kText;
  std::string_view unit{};  // empty if it has none
  std::string_view help;    // no full stop
  Value (*get)(const Subject& subject) = nullptr;
  Written written = Written::kEverywhere;
};

// One column of a table. A time becomes two columns, a number and a time; shares become one for
// each subsystem; several texts become one text, separated by commas.
enum class ColumnType : std::uint8_t { kTruth, kInteger, kCount, kReal, kText, kTime };
struct Column {
  std::string name;
  ColumnType type = ColumnType::kText;
  std::string help;
};
using Cell =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, WallTime>;

// Append the columns of a field, and the cells of a value of it, in the same order.
void append_columns(std::string_view name, FieldType type, std::string_view help,
                    std::vector<Column>& out);
void append_cells(FieldType type, const Value& value, std::vector<Cell>& out);

template <typename Subject>
std::vector<Column> columns_of(std::span<const Field<Subject>> fields) {
  std::vector<Column> out;
  for (const auto& field : fields) append_columns(field.name, field.type, field.help, out);
  return out;
}

template <typename Subject>
std::vector<Cell> cells_of(std::span<const Field<Subject>> fields, const Subject& subject) {
  std::vector<Cell> out;
  for (const auto& field : fields) append_cells(field.type, field.get(subject), out);
  return out;
}

// Returns the word of a type for people: "number", "text", "time", ...
std::string_view to_string(FieldType type);

}  // namespace reveal::report
