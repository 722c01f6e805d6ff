// How the file at hand numbers channels, and under which numbers a reader gives them: a recording
// whose channels come and go numbers those that are there anew now and then
// (docs/storage_format.md, "Numbering"). A reader joins them by name.
//
// As long as all files number alike, both are one table, and frames need no work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::store {

// The channels that a reader gives, which another may go on with: they keep their numbers.
struct KnownChannels {
  model::ChannelTable table;
  // The numbering that has the same numbers; nothing: none has, as channels of several are in it.
  std::optional<std::uint32_t> numbering;
};

class Numbering {
 public:
  explicit Numbering(std::shared_ptr<KnownChannels> known);

  // Takes in that the file at hand has this numbering.
  void begin(std::uint32_t numbering);
  // Returns it; nothing before the first.
  std::optional<std::uint32_t> now() const { return now_; }

  // Returns that of the first file that was read.
  std::optional<std::uint32_t> first() const { return first_; }

  const std::shared_ptr<KnownChannels>& known() const { return known_; }
  // Returns the channels as a reader gives them, and as the file numbers them.
  const model::ChannelTable& given() const { return known_->table; }
  model::ChannelTable& of_file() { return own_ ? *own_ : known_->table; }
  bool is_the_same() const { return !own_; }

  // Takes in what was added to of_file(). Returns whether metrics of one name are alike.
  bool learn();
  // Returns the number by which the channel is given. REQUIRES: learn().
  model::ChannelId given(model::ChannelId of_file) const {
    return own_ ? channels_[of_file.index()] : of_file;
  }
  // Makes `out` the frame under the numbers by which channels are given. REQUIRES: they are not the
  // file's.
  void apply(const model::Frame& frame, model::Frame& out) const;

 private:
  std::shared_ptr<KnownChannels> known_;
  std::optional<std::uint32_t> now_;
  std::optional<std::uint32_t> first_;
  std::optional<model::ChannelTable> own_;  // none: known_->table is the file's
  std::vector<model::MetricId> metrics_;    // by the file's number, the one that is given
  std::vector<model::ChannelId> channels_;
  std::vector<model::SourceId> sources_;
};

}  // namespace reveal::store
