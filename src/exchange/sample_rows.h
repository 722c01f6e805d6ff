// The samples of a recording as rows: one for each channel of each frame, missing ones included, so
// that nothing of a frame's values is lost on the way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "duck/table.h"
#include "model/frame.h"

namespace reveal::exchange {

// Which recording the rows are of, if several are read together.
struct RowOrigin {
  std::int64_t recording = 1;  // counted from 1
  std::string host;
};

inline constexpr duck::Column kSampleColumns[] = {
    {"recording", duck::ColumnType::kInteger, "which of the recordings read together, from 1"},
    {"host", duck::ColumnType::kText, "the recorded host"},
    {"sequence", duck::ColumnType::kUnsigned, "the tick's number"},
    {"time", duck::ColumnType::kTime, "of the tick, UTC"},
    {"wall_ns", duck::ColumnType::kInteger, "the same to the nanosecond, since the epoch"},
    {"mono_ns", duck::ColumnType::kInteger, "the same on the monotonic clock"},
    {"read_ns", duck::ColumnType::kInteger,
     "when the sample was really read, on the monotonic clock"},
    {"channel_id", duck::ColumnType::kUnsigned, "the channel's number in this recording"},
    {"metric", duck::ColumnType::kText, "e.g. storage_read_sectors_total"},
    {"instance", duck::ColumnType::kText, "e.g. dev=sda; empty for the host"},
    {"value", duck::ColumnType::kDouble, "in the metric's unit; NULL where missing"},
    {"raw", duck::ColumnType::kUnsigned,
     "as the kernel gave it, exact; NULL where it is no integer"},
    {"validity", duck::ColumnType::kText, "fresh, stale, reset or missing"},
};

class SampleRows : public duck::RowSource {
 public:
  SampleRows(std::unique_ptr<model::FrameSource> frames, RowOrigin origin)
      : frames_(std::move(frames)), origin_(std::move(origin)) {}
  // Fails if the frames do.
  base::Result<void> fill(duck::RowChunk& chunk) override;

 private:
  void add(duck::RowChunk& chunk, model::ChannelId id) const;

  std::unique_ptr<model::FrameSource> frames_;
  RowOrigin origin_;
  const model::Frame* frame_ = nullptr;
  std::size_t next_ = 0;  // channel of the frame
  bool at_end_ = false;
};

// Returns "fresh", "stale", "reset" or "missing", and what such a word means; nothing for another.
std::string_view validity_word(model::Validity validity);
std::optional<model::Validity> validity_of_word(std::string_view word);

// Returns the value that the 64 bits of a sample stand for, in the metric's unit.
double in_unit(const model::MetricDescriptor& metric, std::uint64_t bits);

}  // namespace reveal::exchange
