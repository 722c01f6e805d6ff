// A block: the frames of up to a minute, told by column. docs/storage_format.md, "Block". Encoding
// may be spread over several calls, so that it never holds a tick up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "store/block_builder.h"
#include "store/bytes.h"
#include "store/column_codec.h"
#include "store/tick_patterns.h"

namespace reveal::store {

// What stands at the start of a block in the clear, so that a reader can pass over it.
struct BlockHeading {
  std::uint64_t first_sequence = 0;
  std::uint64_t ticks = 0;
  std::int64_t first_wall_ns = 0;
  std::int64_t last_wall_ns = 0;
  std::int64_t first_mono_ns = 0;
  std::int64_t last_mono_ns = 0;
  std::uint64_t channels = 0;
  std::uint64_t times = 0;
};

void put_heading(Bytes& out, const BlockHeading& heading);
// Returns nothing if the bytes cannot be a block's.
std::optional<BlockHeading> read_heading(ByteCursor& in);

class BlockEncoder {
 public:
  // Takes the frames over. `real` tells which channels hold binary64. REQUIRES: ticks() > 0.
  BlockEncoder(BlockBuilder frames, std::vector<bool> real);

  // Encodes up to `columns` more columns; returns whether all are done.
  bool advance(std::size_t columns);
  std::size_t columns() const { return patterns_.columns() + kTickColumns; }

  // Appends the block's payload. REQUIRES: advance() returned true.
  void finish(Bytes& payload);

  const BlockHeading& heading() const { return heading_; }
  const std::vector<TickNotes>& notes() const { return frames_.notes(); }

 private:
  OpenColumn& column(std::size_t number);
  std::size_t channels() const { return frames_.channels_.size(); }

  BlockBuilder frames_;
  std::vector<bool> real_;
  TickPatterns patterns_;  // of channels, then of reading times
  BlockHeading heading_;
  ColumnEncoder encoder_;
  std::size_t next_ = 0;
};

// Reads a block's frames, or some of its channels. Holds all that it decoded; for one thread.
class BlockDecoder {
 public:
  // Takes the payload apart; `payload` must outlive this object. Fails with kCorrupt if it is not a
  // block of at most `channels` channels.
  static base::Result<BlockDecoder> open(ByteView payload, std::size_t channels);

  const BlockHeading& heading() const { return heading_; }
  std::size_t ticks() const { return static_cast<std::size_t>(heading_.ticks); }

  const std::vector<TickNotes>& notes() const { return notes_; }

  // Decodes what frame() needs: of the channels only those that are set in `wanted`, all without
  // it.
  base::Result<void> decode(const std::vector<bool>* wanted = nullptr);

  // Makes `out` the frame of a tick; channels that were not decoded are missing from it. Faster for
  // the tick after that of the call before. REQUIRES: `out` is then as that call left it.
  void frame(std::size_t tick, model::Frame& out);

  // Returns about how many bytes of the block say a channel.
  double channel_bytes(std::size_t channel) const;

 private:
  BlockDecoder() = default;
  bool read_tables(ByteCursor& in);
  std::uint64_t value(std::size_t column, std::size_t tick) const;
  std::uint64_t tick_value(TickColumn column, std::size_t tick) const {
    return value(static_cast<std::size_t>(column), tick);
  }
  void set_channels(std::size_t tick, bool all, model::Frame& out) const;
  void set_validity(std::size_t tick, model::Frame& out) const;
  void set_times(std::size_t tick, bool all, model::Frame& out) const;

  struct VaryingColumn {
    std::uint32_t column;
    std::vector<std::uint64_t> values;
  };

  BlockHeading heading_;
  Bytes tables_;
  double table_ratio_ = 1;  // of their stored size to their size
  TickPatterns patterns_;
  std::vector<TickNotes> notes_;
  std::optional<ColumnDecoder> columns_;
  std::vector<VaryingColumn> varying_;     // those of the channels only come last
  std::vector<std::uint32_t> varying_of_;  // by column: place in varying_ plus one; 0: constant
  std::vector<bool> wanted_;               // by channel; empty: all
  std::optional<std::size_t> last_tick_;   // that frame() made
};

}  // namespace reveal::store
