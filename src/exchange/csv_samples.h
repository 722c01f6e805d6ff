// Samples as CSV: the columns that do not hold samples, and what reads and writes them.
//
//   wide  time_ns,mono_ns,sequence,cost_ns,gap,validity,read_ns,CHANNEL,CHANNEL,...
//   long  time_ns,mono_ns,sequence,cost_ns,gap,metric,instance,value,validity,read_ns
//
// A missing sample is an empty cell (wide) or no row (long). docs/how_to/exchange.md says what the
// columns mean. FILE.meta.json stands beside the file (metadata.h), written when it is complete.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "exchange/format.h"
#include "model/frame.h"

namespace reveal::exchange {

inline constexpr std::array<std::string_view, 7> kWideColumns{
    "time_ns", "mono_ns", "sequence", "cost_ns", "gap", "validity", "read_ns"};
inline constexpr std::array<std::string_view, 10> kLongColumns{
    "time_ns", "mono_ns",  "sequence", "cost_ns",  "gap",
    "metric",  "instance", "value",    "validity", "read_ns"};

// Rows of Format. The file is compressed if its name ends in .gz.
base::Result<std::unique_ptr<model::FrameSink>> make_csv_writer(const WriterOptions& options);
base::Result<std::unique_ptr<model::FrameSink>> make_csv_gz_writer(const WriterOptions& options);
base::Result<std::unique_ptr<model::FrameSource>> open_own_csv(const std::filesystem::path& path);

}  // namespace reveal::exchange
