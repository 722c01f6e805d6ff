#include "collect/parts/attribute_rows.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxQuoted = 60;

}  // namespace

AttributeValue decimal_attribute(std::string_view line) {
  if (const auto value = procfs::parse_u64(line)) return *value;
  return {};
}

std::string_view below_instance(std::string_view source) {
  return source.substr(source.rfind("*/") + 2);
}

AttributeChannels::AttributeChannels(std::span<const AttributeRow> rows,
                                     std::span<const model::MetricDescriptor> metrics,
                                     const std::string& folder, std::string instance)
    : rows_(rows), channels_(metrics, std::move(instance)) {
  for (const auto& row : rows) {
    paths_.push_back(folder + "/" + std::string(below_instance(row.metric.source)));
  }
}

void AttributeChannels::read(FrameWriter& writer, procfs::AttributeReader& reader) {
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto line = reader.read(paths_[row]);
    if (!line) continue;
    const AttributeValue value = rows_[row].key(*line);
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
      channels_.set(writer, row, procfs::Value(*whole));
    } else if (const auto* real = std::get_if<double>(&value)) {
      channels_.set(writer, row, std::optional(*real));
    }
  }
}

std::string AttributeChannels::why_absent(std::size_t row, procfs::AttributeReader& reader) const {
  const auto line = reader.read(paths_[row]);
  if (line) return fmt::format("{} says \"{}\"", paths_[row], line->substr(0, kMaxQuoted));
  if (reader.last_errno() == 0) return paths_[row] + " has no whole line";
  return fmt::format("{}: {}", paths_[row], std::strerror(reader.last_errno()));
}

}  // namespace reveal::collect
