#include <utility>

#include "exchange/parquet.h"

namespace reveal::exchange {

std::vector<duck::Column> parquet_columns(Layout layout) {
  std::vector<duck::Column> out(kParquetTickColumns.begin(), kParquetTickColumns.end());
  if (layout == Layout::kLong) {
    out.insert(out.end(), kParquetLongColumns.begin(), kParquetLongColumns.end());
  } else {
    out.insert(out.end(), kParquetWideColumns.begin(), kParquetWideColumns.end());
  }
  return out;
}

std::vector<duck::ColumnType> parquet_types(Layout layout, const model::ChannelTable& channels) {
  const auto columns = parquet_columns(layout);
  std::vector<duck::ColumnType> out;
  out.reserve(columns.size() + channels.channel_count());
  for (const duck::Column& column : columns) out.push_back(column.type);
  if (layout == Layout::kLong) return out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const bool whole = channels.metric(model::ChannelId(i)).repr == model::Repr::kU64;
    out.push_back(whole ? duck::ColumnType::kUnsigned : duck::ColumnType::kDouble);
  }
  return out;
}

}  // namespace reveal::exchange
