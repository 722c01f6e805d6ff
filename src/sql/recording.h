// A recording as `reveal sql` reads it: its frames as often as they are asked for, its features and
// its report made once, when a statement first needs them. For several threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/sample_rows.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "store/replay.h"

namespace reveal::sql {

class Recording {
 public:
  // Opens the recording in `directory`, the number-th of those read together. Fails if it cannot be
  // read, or the options make no sense.
  static base::Result<std::unique_ptr<Recording>> open(const std::filesystem::path& directory,
                                                       std::int64_t number,
                                                       pipeline::PipelineConfig config);

  const exchange::RowOrigin& origin() const { return origin_; }

  // Returns its frames from the first on.
  base::Result<std::unique_ptr<model::FrameSource>> frames();

  // Returns all frames' features and derived channels.
  base::Result<const pipeline::Pipeline*> features();

  // Returns the report. Fails with kTooLittle if the recording is too short for one.
  base::Result<const report::Report*> report();

  // Returns what was found unreadable when its frames were read to their end.
  std::vector<store::Damage> damage() const;

 private:
  class Reader;
  Recording(std::filesystem::path directory, exchange::RowOrigin origin,
            pipeline::PipelineConfig config)
      : directory_(std::move(directory)), origin_(std::move(origin)), config_(std::move(config)) {}

  base::Result<void> replay_into(pipeline::Pipeline& pipeline);
  void keep(const std::vector<store::Damage>& damage);

  std::filesystem::path directory_;
  exchange::RowOrigin origin_;
  pipeline::PipelineConfig config_;

  std::mutex analysis_mutex_;
  std::optional<pipeline::Pipeline> pipeline_;  // once all frames are in it
  std::optional<report::Report> report_;

  mutable std::mutex damage_mutex_;
  std::vector<store::Damage> damage_;
};

}  // namespace reveal::sql
