// Rows of a device whose every value is a small file below its folder. The row says how the file is
// read, and its `source` where the file is: "/sys/block/*/md/sync_speed" is "md/sync_speed" in the
// folder of the disk, and a word behind a blank is not of the path. So a new metric of such a
// device is one row in its table.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/parts/attribute_rows.h"
#include "collect/parts/device_files.h"
#include "model/metric.h"

namespace reveal::collect {

// Without a reader the whole text is the number.
struct FileRow {
  model::MetricDescriptor metric;
  ReadWhole whole = nullptr;
  ReadReal real = nullptr;
};

// Returns the metrics of all rows of these tables, in their order.
inline std::vector<model::MetricDescriptor> metrics_of(
    std::initializer_list<std::span<const FileRow>> tables) {
  std::vector<model::MetricDescriptor> out;
  for (const auto& rows : tables) {
    for (const auto& row : rows) out.push_back(row.metric);
  }
  return out;
}

// Adds the files of all rows. `first` is the row of the first of them among the device's metrics.
inline void add_file_rows(std::span<const FileRow> rows, std::size_t first,
                          const std::string& folder, DeviceFiles& to) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto below = below_instance(rows[i].metric.source);
    std::string path = folder + "/" + std::string(below.substr(0, below.find(' ')));
    if (rows[i].whole != nullptr) {
      to.add(first + i, std::move(path), rows[i].whole);
    } else if (rows[i].real != nullptr) {
      to.add(first + i, std::move(path), rows[i].real);
    } else {
      to.add(first + i, std::move(path));
    }
  }
}

}  // namespace reveal::collect
