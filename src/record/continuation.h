// A recorder's frames in the terms of the recording that it goes on with, so that both are one.
//
// The run keeps its identity (host, first boot, start) and its interval. Metrics and channels keep
// their names, and their numbers until number_anew(): new ones follow the old ones, and those that
// are gone are missing. A metric that
// comes back with another kind, representation, scale, unit or width is another metric and gets the
// name NAME_v2 (then _v3, ...), because its old values and its new ones must not be compared. Ticks
// and the monotonic clock go on by as much as the wall clock did, at least by one interval: the
// monotonic clock of another boot begins anew, and nothing else tells how long nobody recorded. A
// clock that was set back makes that one interval. Counting may have begun anew everywhere, so each
// old counter and event is reset where it is read again. Facts that the first frame does not state
// again end there: nobody knows whether they still hold. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/channel_table.h"
#include "model/frame.h"
#include "store/recording_tail.h"

namespace reveal::record {

class Continuation {
 public:
  // Goes on after `tail`, which is of the recording `where`, as the run with the facts `now`. Fails
  // with kUsage if that run cannot go on with it: it has another interval or host, or the recording
  // was imported.
  static base::Result<Continuation> of(const store::RecordingTail& tail, const model::RunFacts& now,
                                       const std::string& where);

  // Returns the facts of the run: its identity of old, and what holds now.
  const model::RunFacts& facts() const { return facts_; }
  // Returns the channels of the frames that apply() returns.
  const model::ChannelTable& channels() const { return channels_; }

  // Returns the frame in the terms of the recording, valid until the next call. REQUIRES: `now`
  // only ever grows, but for number_anew().
  const model::Frame& apply(const model::ChannelTable& now, const model::Frame& frame);

  // The recording numbers channels anew, and so does the table that apply() is given from the next
  // frame on. Only channels of that table have numbers then.
  void number_anew();

 private:
  // A collector of the recording, and one of those that read its metrics now.
  struct SourceLink {
    model::SourceId old;
    model::SourceId now;
  };

  Continuation(const store::RecordingTail& tail, const model::RunFacts& now);

  void begin(const model::Frame& frame);
  std::int64_t ns_away(std::int64_t wall_ns) const;
  std::string how_it_went_on(std::int64_t wall_ns) const;
  void take_new_channels(const model::ChannelTable& now);
  model::MetricId metric_like(const model::MetricDescriptor& metric);
  void link(model::SourceId old, model::SourceId now);
  void set_values(const model::Frame& frame);
  void set_times(const model::Frame& frame);
  void end_facts(const model::Frame& frame);

  model::RunFacts facts_;
  std::string boot_id_;  // of the host now
  model::ChannelTable channels_;
  model::ChannelTable metrics_;       // all that the recording has had, so that a name means one
  std::set<std::string> unnumbered_;  // old counters and events that were not read again yet
  std::optional<store::RecordingTail::Moment> last_;
  std::vector<model::Note> stated_;      // facts of old
  std::vector<model::ChannelId> id_of_;  // by number of now
  std::vector<bool> counts_anew_;        // by channel of the recording: until it is read again
  std::vector<SourceLink> links_;
  bool begun_ = false;
  std::uint64_t sequence_shift_ = 0;  // modulo 2^64
  std::int64_t mono_shift_ns_ = 0;
  std::int64_t first_mono_ns_ = 0;
  model::Frame out_;
};

}  // namespace reveal::record
