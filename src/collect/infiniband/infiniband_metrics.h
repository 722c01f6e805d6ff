// The tables of /sys/class/infiniband: what each port of an InfiniBand or RoCE adapter counts. Four
// of them, because they are read at different rates and each file may be a question to firmware.
#pragma once

#include <span>

#include "collect/parts/attribute_rows.h"

namespace reveal::collect {

std::span<const AttributeRow> infiniband_traffic_rows();
std::span<const AttributeRow> infiniband_counter_rows();
std::span<const AttributeRow> infiniband_hw_counter_rows();
std::span<const AttributeRow> infiniband_port_rows();

// "4: ACTIVE" is 4.
AttributeValue leading_number(std::string_view line);
// "100 Gb/sec (4X EDR)" is 100e9 bits per second, "2.5 Gb/sec (1X SDR)" 2.5e9.
AttributeValue port_rate(std::string_view line);

}  // namespace reveal::collect
