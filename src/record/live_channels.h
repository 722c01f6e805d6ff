// The channels of a sampler under numbers of their own, so that a recording's numbers need not grow
// with all devices and control groups that ever were.
//
// The sampler gives the number of a channel that is gone to another one. A recording must not: here
// a channel has one number until number_anew(), and after that only those that have values get one,
// as soon as they have. The same name is the same channel to whoever reads the recording
// (docs/storage_format.md, "Numbering"). For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::record {

class LiveChannels {
 public:
  // Returns the frame under these numbers, valid until the next call, or as long as `frame` is.
  const model::Frame& apply(const model::ChannelTable& sampled, const model::Frame& frame);

  // Returns the channels of the frames that apply() returns; they only grow until number_anew().
  const model::ChannelTable& channels() const { return table_; }

  // From the next frame on, channels are numbered anew, from 0.
  void number_anew();

 private:
  // What a number of the sampler means.
  struct Slot {
    std::uint32_t generation = 0;         // of the number, when it was looked at
    std::optional<model::ChannelId> out;  // nothing: has no number here yet
  };

  void follow(const model::ChannelTable& sampled);
  void number(const model::ChannelTable& sampled, std::size_t slot);
  void renumber(const model::ChannelTable& sampled, const model::Frame& frame);
  void set_times(const model::ChannelTable& sampled, const model::Frame& frame);

  model::ChannelTable table_;
  std::vector<Slot> slots_;  // by the sampler's number
  std::uint64_t version_ = 0;
  bool is_the_same_ = true;                 // both have the same numbers: frames need no work
  bool was_numbered_ = false;               // anew: only what has values gets a number
  std::vector<model::SourceId> source_of_;  // by the number here, the sampler's
  model::Frame out_;
};

}  // namespace reveal::record
