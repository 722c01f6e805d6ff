// The features of every channel in every window of some frames, as rows of a table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "derive/deriver.h"
#include "exchange/filtered_source.h"
#include "exchange/row_sink.h"
#include "feature/extractor.h"
#include "model/frame.h"
#include "window/window_cutter.h"

namespace reveal::tables {

// As typed: a time, such as "3s", a number of ticks, or, for the length, "all".
struct FeatureWindows {
  std::string length = "3s";
  std::string stride = "1s";
};

class FeatureRows : public model::FrameSink {
 public:
  // Writes only channels that one of these shell patterns matches; none: all.
  FeatureRows(FeatureWindows windows, std::vector<std::string> channels,
              const feature::FeatureChoice& choice, std::unique_ptr<exchange::RowSink> rows);

  // Fails with kUsage if the windows do not fit the run's interval.
  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override;

  // Returns whether there was any row.
  bool written() const { return written_; }

 private:
  base::Result<void> make_cutter();
  void keep(std::int64_t wall_ns, std::span<const double> values);
  base::Result<void> write_whole();
  base::Result<void> write_window(const window::WindowView& view);
  bool is_written(model::ChannelId channel) const;
  std::vector<exchange::Cell> row_of(const window::WindowSpan& span,
                                     model::ChannelId channel) const;

  FeatureWindows windows_;
  exchange::Part part_;  // its channels alone
  derive::Deriver deriver_;
  feature::FeatureExtractor extractor_;
  std::unique_ptr<exchange::RowSink> rows_;
  std::vector<feature::FeatureId> features_;  // of any kind of channel
  std::int64_t interval_ns_ = 0;
  std::optional<window::WindowCutter> cutter_;  // none: one window of all
  std::vector<std::vector<double>> ticks_;      // then: all samples
  std::int64_t begin_ns_ = 0;
  bool written_ = false;
};

}  // namespace reveal::tables
