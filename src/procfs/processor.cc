#include "procfs/processor.h"

#include "procfs/pmu_text.h"
#include "procfs/text_cursor.h"

namespace reveal::procfs {

std::optional<Processor> parse_processor(std::string_view cpuinfo) {
  Processor out;
  Value family;
  Value model;
  LineCursor lines(cpuinfo);
  std::string_view line;
  while (lines.next(line) && !line.empty()) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto key = trimmed(line.substr(0, colon));
    const auto value = trimmed(line.substr(colon + 1));
    if (key == "vendor_id") out.vendor = value;
    if (key == "cpu family") family = parse_u64(value);
    if (key == "model") model = parse_u64(value);
    if (key == "mvendorid") out.vendor = value;
    if (key == "marchid") family = parse_0x(value);
    if (key == "mimpid") model = parse_0x(value);
  }
  if (out.vendor.empty() || !family || !model) return std::nullopt;
  out.family = *family;
  out.model = *model;
  return out;
}

}  // namespace reveal::procfs
