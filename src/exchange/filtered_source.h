// A part of a recording as a recording of its own: some of its channels, or some of its time. The
// facts that held when the part begins are stated in its first frame, and its ticks are numbered
// from 0 if it does not begin with the recording.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/channel_filter.h"
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

// Returns whether the part has that channel.
bool is_chosen(const Part& part, std::string_view metric, std::string_view instance);

class FilteredSource : public model::FrameSource {
 public:
  // `whole` must outlive this.
  FilteredSource(model::FrameSource& whole, Part part);
  FilteredSource(const FilteredSource&) = delete;
  FilteredSource& operator=(const FilteredSource&) = delete;

  const model::RunFacts& facts() const override { return whole_.facts(); }
  const model::ChannelTable& channels() const override { return filter_.channels(); }
  base::Result<const model::Frame*> next() override;

 private:
  void take(const model::Frame& frame);
  void begin(const model::Frame& frame);

  model::FrameSource& whole_;
  Part part_;
  model::ChannelFilter filter_;
  model::FactTable held_;  // before the part
  bool begun_ = false;
  std::uint64_t first_sequence_ = 0;
  model::Frame frame_;
};

}  // namespace reveal::exchange
