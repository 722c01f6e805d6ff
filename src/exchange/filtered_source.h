// A part of a recording as a recording of its own: some of its channels, or some of its time. The
// facts that held when the part begins are stated in its first frame, and its ticks are numbered
// from 0 where it does not begin with the recording.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/fact_table.h"
#include "model/frame.h"

namespace reveal::exchange {

struct Part {
  // Wall time in ns since the epoch; both ends belong to the part.
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
  // Shell patterns of METRIC or METRIC{INSTANCE}; none: all channels.
  std::vector<std::string> channels{};
  // Names of channels; nothing: not chosen by name.
  std::optional<std::set<std::string>> names{};
};

class FilteredSource : public model::FrameSource {
 public:
  // `whole` must outlive this.
  FilteredSource(model::FrameSource& whole, Part part) : whole_(whole), part_(std::move(part)) {}

  const model::RunFacts& facts() const override { return whole_.facts(); }
  const model::ChannelTable& channels() const override { return channels_; }
  base::Result<const model::Frame*> next() override;

 private:
  bool is_chosen(model::ChannelId id) const;
  void grow(std::size_t count);
  void take(const model::Frame& frame);
  void begin(const model::Frame& frame);

  model::FrameSource& whole_;
  Part part_;
  model::ChannelTable channels_;
  std::size_t seen_ = 0;              // of the whole's channels
  std::vector<std::size_t> origin_;   // by own channel: the whole's
  std::vector<std::size_t> sources_;  // by own source: the whole's
  model::FactTable held_;             // before the part
  bool skipped_ = false;              // frames before the part
  bool begun_ = false;
  std::uint64_t first_sequence_ = 0;
  model::Frame frame_;
};

}  // namespace reveal::exchange
