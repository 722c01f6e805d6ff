#include "record/live_channels.h"

#include <algorithm>
#include <string_view>

namespace reveal::record {
namespace {

using model::ChannelId;
using model::SourceId;
using model::Validity;

SourceId source_named(const model::ChannelTable& table, std::string_view name) {
  std::size_t i = 0;
  while (i < table.source_count() && table.source_name(SourceId(i)) != name) ++i;
  return SourceId(i);
}

}  // namespace

const model::Frame& LiveChannels::apply(const model::ChannelTable& sampled,
                                        const model::Frame& frame) {
  if (sampled.version() != version_) follow(sampled);
  if (is_the_same_) return frame;
  renumber(sampled, frame);
  set_times(sampled, frame);
  out_.sequence = frame.sequence;
  out_.wall_ns = frame.wall_ns;
  out_.mono_ns = frame.mono_ns;
  out_.cost_ns = frame.cost_ns;
  out_.gap = frame.gap;
  out_.notes = frame.notes;
  return out_;
}

void LiveChannels::number_anew() {
  table_ = model::ChannelTable();
  for (Slot& slot : slots_) slot.out.reset();
  is_the_same_ = false;
  was_numbered_ = true;
  source_of_.clear();
  out_ = model::Frame();
}

// Looks at what came and went.
void LiveChannels::follow(const model::ChannelTable& sampled) {
  version_ = sampled.version();
  const std::size_t known = slots_.size();
  slots_.resize(sampled.channel_count());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::uint32_t generation = sampled.generation(ChannelId(i));
    if (i < known && slots_[i].generation != generation) {
      slots_[i].out.reset();
      is_the_same_ = false;
    }
    slots_[i].generation = generation;
    if (!was_numbered_ && !slots_[i].out && !sampled.is_free(ChannelId(i))) number(sampled, i);
  }
}

void LiveChannels::number(const model::ChannelTable& sampled, std::size_t slot) {
  const ChannelId id(slot);
  const auto out =
      table_.add_channel(table_.add_metric(sampled.metric(id)), sampled.channel(id).instance);
  slots_[slot].out = out;
  is_the_same_ = is_the_same_ && out == id;
  for (std::size_t i = source_of_.size(); i < table_.source_count(); ++i) {
    source_of_.push_back(source_named(sampled, table_.source_name(SourceId(i))));
  }
}

void LiveChannels::renumber(const model::ChannelTable& sampled, const model::Frame& frame) {
  const std::size_t count = std::min(frame.bits.size(), slots_.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!slots_[i].out && frame.validity[i] != Validity::kMissing) number(sampled, i);
  }
  out_.resize(table_.channel_count());
  std::fill(out_.validity.begin(), out_.validity.end(), Validity::kMissing);
  for (std::size_t i = 0; i < count; ++i) {
    if (!slots_[i].out) continue;
    out_.bits[slots_[i].out->index()] = frame.bits[i];
    out_.validity[slots_[i].out->index()] = frame.validity[i];
  }
}

void LiveChannels::set_times(const model::ChannelTable& sampled, const model::Frame& frame) {
  out_.read_ns.clear();
  for (const SourceId source : source_of_) {
    const bool known = source.index() < sampled.source_count();
    out_.read_ns.push_back(known ? frame.read_ns_of(source) : frame.mono_ns);
  }
}

}  // namespace reveal::record
