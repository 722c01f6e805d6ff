// Samples as Parquet, compressed by zstd, written and read by DuckDB. What a table cannot say of
// itself (metadata.h) is the value of the key "reveal" among the file's key-value metadata.
//
//   wide  time, time_ns, mono_ns, sequence, cost_ns, gap, validity, read_ns, exact, CHANNEL, ...
//         A row is a tick, a column a channel: UBIGINT or DOUBLE as the metric's repr says, raw
//         (times the metric's scale it is in its unit), null where missing. `validity` names the
//         samples that are not fresh, and `read_ns` when the sources were read (validity_text.h).
//         `exact` holds the bits of real numbers that a column of real numbers might not keep: NaN
//         and -0.0.
//   long  time, time_ns, mono_ns, sequence, cost_ns, gap, channel, metric, instance, value, bits,
//         validity, read_ns
//         A row is a sample: `value` in the metric's unit, `bits` its 64 bits, exact. A missing
//         sample has no row; a tick without any has one row without a channel.
//
// Tables other than samples are written column by column as they are, without metadata.
//
// `time` is for people and other programs: a timestamp in UTC, to the microsecond.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "duck/row_chunk.h"
#include "exchange/format.h"
#include "model/frame.h"

namespace reveal::exchange {

inline constexpr std::string_view kParquetKey = "reveal";

// The columns of both layouts that are the tick's, in the order above.
inline constexpr std::array<duck::Column, 6> kParquetTickColumns{
    {{"time", duck::ColumnType::kTime, "of the tick, UTC"},
     {"time_ns", duck::ColumnType::kInteger, "the same, ns since the epoch"},
     {"mono_ns", duck::ColumnType::kInteger, "the same on the monotonic clock"},
     {"sequence", duck::ColumnType::kUnsigned, "the tick's number"},
     {"cost_ns", duck::ColumnType::kUnsigned, "CPU time that reading took"},
     {"gap", duck::ColumnType::kUnsigned, "why ticks before it are missing"}}};
inline constexpr std::array<duck::Column, 3> kParquetWideColumns{
    {{"validity", duck::ColumnType::kText, "samples that are not fresh"},
     {"read_ns", duck::ColumnType::kText, "when the sources were read"},
     {"exact", duck::ColumnType::kText, "bits of NaN and -0.0, by channel"}}};
inline constexpr std::array<duck::Column, 7> kParquetLongColumns{
    {{"channel", duck::ColumnType::kUnsigned, "its number in the metadata"},
     {"metric", duck::ColumnType::kText, "its metric"},
     {"instance", duck::ColumnType::kText, "its instance; empty for the host"},
     {"value", duck::ColumnType::kDouble, "in the metric's unit"},
     {"bits", duck::ColumnType::kUnsigned, "as recorded"},
     {"validity", duck::ColumnType::kText, "fresh, stale or reset"},
     {"read_ns", duck::ColumnType::kInteger, "when it was read, on the monotonic clock"}}};

// Return the columns of a layout that are always there, and the types of all of a file's columns.
std::vector<duck::Column> parquet_columns(Layout layout);
std::vector<duck::ColumnType> parquet_types(Layout layout, const model::ChannelTable& channels);

// Rows of Format. All fail with kAbsent if DuckDB is not installed.
base::Result<std::unique_ptr<model::FrameSink>> make_parquet_writer(const WriterOptions& options);
base::Result<std::unique_ptr<model::FrameSource>> open_own_parquet(
    const std::filesystem::path& path);
base::Result<void> gather_parquet(const std::filesystem::path& path, const ImportOptions& options,
                                  Gathering& out);
base::Result<std::unique_ptr<RowSink>> make_parquet_rows(const std::filesystem::path& path);

// Return text of `exact`, such as "12:9223372036854775808 13:...", and read it back into bits of
// channels that have a sample. The second returns false if it is no such text.
void append_exact(std::string& out, const model::ChannelTable& channels, const model::Frame& frame);
bool apply_exact(std::string_view text, model::Frame& frame);

}  // namespace reveal::exchange
