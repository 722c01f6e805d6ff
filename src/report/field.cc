#include "report/field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/metric.h"

namespace reveal::report {
namespace {

ColumnType column_type(FieldType type) {
  switch (type) {
    case FieldType::kTruth:
      return ColumnType::kTruth;
    case FieldType::kCount:
      return ColumnType::kCount;
    case FieldType::kReal:
    case FieldType::kShares:
      return ColumnType::kReal;
    case FieldType::kTime:
      return ColumnType::kTime;
    case FieldType::kText:
    case FieldType::kTexts:
      break;
  }
  return ColumnType::kText;
}

// Returns how many columns a field of that type has.
std::size_t width_of(FieldType type) {
  if (type == FieldType::kShares) return model::kSubsystemCount;
  return type == FieldType::kTime ? 2 : 1;
}

struct Appender {
  std::vector<Cell>& out;
  void operator()(std::monostate /*none*/) const { out.emplace_back(); }
  void operator()(bool value) const { out.emplace_back(value); }
  void operator()(std::uint64_t value) const { out.emplace_back(value); }
  void operator()(double value) const { out.emplace_back(value); }
  void operator()(const std::string& value) const { out.emplace_back(value); }
  void operator()(const Texts& value) const {
    out.emplace_back(fmt::format("{}", fmt::join(value, ", ")));
  }
  void operator()(WallTime value) const {
    out.emplace_back(value.ns);
    out.emplace_back(value);
  }
  void operator()(const attribute::SubsystemShares& value) const {
    for (const double share : value) out.emplace_back(share);
  }
};

}  // namespace

void append_columns(std::string_view name, FieldType type, std::string_view help,
                    std::vector<Column>& out) {
  if (type == FieldType::kTime) {
    out.push_back({fmt::format("{}_ns", name), ColumnType::kInteger,
                   fmt::format("{}, in ns since 1970", help)});
    out.push_back({fmt::format("{}_utc", name), ColumnType::kTime, std::string(help)});
    return;
  }
  if (type != FieldType::kShares) {
    out.push_back({std::string(name), column_type(type), std::string(help)});
    return;
  }
  for (int i = 0; i < model::kSubsystemCount; ++i) {
    const auto subsystem = model::to_string(static_cast<model::Subsystem>(i));
    out.push_back({fmt::format("{}_{}", name, subsystem), ColumnType::kReal,
                   fmt::format("{}: {}", help, subsystem)});
  }
}

void append_cells(FieldType type, const Value& value, std::vector<Cell>& out) {
  const std::size_t end = out.size() + width_of(type);
  std::visit(Appender{out}, value);
  out.resize(end);  // no value: none in all of its columns
}

std::string_view to_string(FieldType type) {
  switch (type) {
    case FieldType::kTruth:
      return "true or false";
    case FieldType::kCount:
      return "whole number";
    case FieldType::kReal:
      return "number";
    case FieldType::kText:
      return "text";
    case FieldType::kTexts:
      return "texts";
    case FieldType::kTime:
      return "time";
    case FieldType::kShares:
      break;
  }
  return "shares";
}

}  // namespace reveal::report
