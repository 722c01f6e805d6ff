// Programs of the user's that print samples in Prometheus' text format: each is run every so often,
// and killed when its time is up. The values of a run stand until the next one; those of a program
// that fails are missing.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collect/collector.h"
#include "probes/command_run.h"
#include "probes/exposition.h"
#include "probes/series_channels.h"

namespace reveal::probes {

class CommandCollector final : public collect::Collector {
 public:
  CommandCollector(const std::vector<Command>& commands,
                   std::shared_ptr<const DeclaredMetrics> metrics);

  // Never fails: whether a program can be run is known when it is.
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override;
  // Never waits for a program.
  void collect(collect::FrameWriter& writer) override;

 private:
  struct Program {
    std::unique_ptr<CommandRun> run;
    std::string subject;  // of remarks
    std::vector<Sample> samples{};
    bool is_new = false;  // the samples are of this reading
  };

  void step(Program& program, collect::FrameWriter& writer);
  void set_values(const Program& program, collect::FrameWriter& writer);

  std::vector<Program> programs_;
  SeriesChannels channels_;
};

}  // namespace reveal::probes
