// Gathered samples as frames: put in the order of time onto a grid of ticks, each metric with what
// is guessed or said of it. Samples within half an interval of a tick belong to it; a tick without
// any has no frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "model/frame.h"

namespace reveal::exchange {

class GatheredSource : public model::FrameSource {
 public:
  // Fails with kTooLittle if there are not two times, with kUsage if the samples are of several
  // hosts and the options name none, or two series would be one channel.
  static base::Result<GatheredSource> make(Gathering gathering, const ImportOptions& options);

  const model::RunFacts& facts() const override { return facts_; }
  const model::ChannelTable& channels() const override { return channels_; }
  base::Result<const model::Frame*> next() override;

  // Returns what the user should know of how the files were read; all of it once next() has
  // returned nullptr.
  std::vector<std::string> remarks() const;

 private:
  GatheredSource() = default;

  base::Result<void> choose_host(const ImportOptions& options);
  void settle();
  base::Result<void> choose_interval(const ImportOptions& options);
  base::Result<void> add_channels(const Mapping& mapping);
  void remark_unknown();
  bool share_one_clock() const;
  std::uint64_t tick_of(std::int64_t time_ns) const;
  std::int64_t end_of_tick(std::int64_t begin_ns) const;
  void take(std::size_t series, std::int64_t end_ns);

  std::vector<Series> series_;  // by ChannelId
  std::vector<std::size_t> cursors_;
  model::RunFacts facts_;
  model::ChannelTable channels_;
  model::Frame frame_;
  std::int64_t first_ns_ = 0;
  bool began_ = false;
  bool one_clock_ = false;        // each time is a tick, whatever its distance to the next
  bool interval_chosen_ = false;  // by the user
  std::uint64_t last_tick_ = 0;
  std::uint64_t crowded_ = 0;  // samples that shared a tick with a later one of their channel
  std::vector<std::string> remarks_;
};

// Returns the interval that most of the samples are apart: the median, snapped to a round number
// that is near it. 0 if no series has two samples. REQUIRES: series in the order of time, less than
// 2^63 ns from end to end.
std::int64_t guess_interval(const std::vector<Series>& series);

}  // namespace reveal::exchange
