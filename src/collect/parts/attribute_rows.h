// Metrics that are each one small file in the sysfs folder of a device: the row says how the file's
// line is read, and its `source` where the file is: "/sys/class/net/*/mtu" is "mtu" in the
// interface's folder. So a new metric of such a folder is one row in its table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collect/frame_writer.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/attribute.h"

namespace reveal::collect {

// What a line says, by the metric's representation; nothing if it does not say a number.
using AttributeValue = std::variant<std::monostate, std::uint64_t, double>;
using AttributeParser = AttributeValue (*)(std::string_view line);
using AttributeRow = MetricRow<AttributeParser>;

// Decimal digits and nothing else: "-1" and "N/A (no PMA)" are not numbers.
AttributeValue decimal_attribute(std::string_view line);

// Returns what stands behind the last "*/" of a source.
std::string_view below_instance(std::string_view source);

// The channels of one device, read from the files of its folder.
class AttributeChannels {
 public:
  // REQUIRES: `rows` and `metrics`, which are the rows' own, outlive this.
  AttributeChannels(std::span<const AttributeRow> rows,
                    std::span<const model::MetricDescriptor> metrics, const std::string& folder,
                    std::string instance);

  // Reads all files. What cannot be read or is not a number stays missing.
  void read(FrameWriter& writer, procfs::AttributeReader& reader);

  // Returns why the metric of that row has no value in this folder.
  std::string why_absent(std::size_t row, procfs::AttributeReader& reader) const;

  InstanceChannels& channels() { return channels_; }
  const InstanceChannels& channels() const { return channels_; }

 private:
  std::span<const AttributeRow> rows_;
  std::vector<std::string> paths_;  // by row
  InstanceChannels channels_;
};

}  // namespace reveal::collect
