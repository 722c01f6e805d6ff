#include "replay/explained.h"

#include <utility>

#include "replay/channel_samples.h"
#include "replay/finding_again.h"
#include "report/explanation.h"

namespace reveal::replay {

base::Result<Explained> explained(const std::string& directory, pipeline::PipelineConfig config,
                                  std::size_t finding) {
  const auto found = find_again(directory, std::move(config), finding);
  if (!found) return base::pass(found);
  const auto& report = found->report;
  const auto& matrix = found->run.pipeline->features();
  auto place = report::claimed_place(report, matrix, found->finding);
  if (!place) return base::pass(place);
  auto samples = channel_samples(directory, report.channel_table->name(place->evidence.key.channel),
                                 report.windows[place->row].first_sequence,
                                 report.configuration.window.ticks());
  if (!samples) return base::pass(samples);
  return Explained{
      .text = report::explanation({report, matrix, found->finding, *place, std::move(*samples),
                                   directory, found->number, found->count}),
      .damage = found->run.damage};
}

}  // namespace reveal::replay
