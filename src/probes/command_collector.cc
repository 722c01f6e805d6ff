#include "probes/command_collector.h"

#include <utility>

#include <fmt/format.h>

namespace reveal::probes {

CommandCollector::CommandCollector(const std::vector<Command>& commands,
                                   std::shared_ptr<const DeclaredMetrics> metrics)
    : channels_(std::move(metrics), "command") {
  for (const Command& command : commands) {
    Program program{std::make_unique<CommandRun>(command), "command " + command.words.front()};
    programs_.push_back(std::move(program));
  }
}

base::Result<void> CommandCollector::open(const procfs::HostRoot& /*root*/,
                                          model::ChannelTable& /*channels*/) {
  return {};
}

void CommandCollector::collect(collect::FrameWriter& writer) {
  channels_.begin(Clock::now());
  for (Program& program : programs_) step(program, writer);
  for (const Program& program : programs_) set_values(program, writer);
  channels_.end(writer);
}

void CommandCollector::step(Program& program, collect::FrameWriter& writer) {
  program.is_new = false;
  auto outcome = program.run->step(Clock::now());
  if (!outcome) return;
  program.samples.clear();
  if (!outcome->problem.empty()) return channels_.say(writer, program.subject, outcome->problem);
  auto read = read_exposition(outcome->output);
  channels_.say(writer, program.subject,
                read.refused == 0 ? "" : "its output, " + read.first_refusal);
  program.samples = std::move(read.samples);
  program.is_new = true;
}

void CommandCollector::set_values(const Program& program, collect::FrameWriter& writer) {
  const auto validity = program.is_new ? model::Validity::kFresh : model::Validity::kStale;
  for (const Sample& sample : program.samples) {
    const auto* metric = channels_.metric(sample.metric);
    if (metric == nullptr) continue;
    channels_.set(writer, *metric, sample.instance, sample.value, validity);
  }
}

}  // namespace reveal::probes
