// Metrics and channels to payloads and back: docs/storage_format.md, "Metrics" and "Channels". Each
// record says where its entries stand in the table, so a table that is stated again is recognized,
// and a lost record is noticed instead of shifting every later channel.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "model/channel_table.h"
#include "store/bytes.h"

namespace reveal::store {

// Append the payload that states the table's entries from number `first` on.
void put_metrics(Bytes& out, const model::ChannelTable& table, std::size_t first);
void put_channels(Bytes& out, const model::ChannelTable& table, std::size_t first);

// Add the payload's entries that `table` does not have yet. Entries before a faulty one are kept.
base::Result<void> read_metrics(ByteView payload, model::ChannelTable& table);
base::Result<void> read_channels(ByteView payload, model::ChannelTable& table);

}  // namespace reveal::store
