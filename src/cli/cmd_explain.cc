// reveal explain: how a finding came about, from the raw samples to the sentence.
#include <bit>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "replay/chosen_frames.h"
#include "report/explanation.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

constexpr std::size_t kMaxFindings = 1'000'000;

struct ExplainArguments {
  std::string directory;
  std::size_t finding = 1;
  SettingOptions analysis;
};

// Returns the channel's samples by tick of the window. The recording is read once more, and derived
// from its begin, as rates need the sample before.
Result<std::vector<double>> samples_of(const std::string& directory, const std::string& channel,
                                       const window::WindowSpan& span, std::size_t ticks) {
  exchange::Part part;
  part.names = {channel};
  auto chosen = replay::ChosenFrames::open(directory, part, /*derived=*/true);
  if (!chosen) return base::pass(chosen);
  std::vector<double> out(ticks, std::numeric_limits<double>::quiet_NaN());
  for (;;) {
    const auto frame = chosen->frames().next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr || (*frame)->sequence >= span.first_sequence + ticks) return out;
    if ((*frame)->sequence < span.first_sequence || (*frame)->bits.empty()) continue;
    const model::ChannelId id(0);  // the one that was chosen
    if ((*frame)->validity[id.index()] == model::Validity::kMissing) continue;
    out[(*frame)->sequence - span.first_sequence] =
        std::bit_cast<double>((*frame)->bits[id.index()]);
  }
}

Result<std::string> explain(const ExplainArguments& options) {
  auto config = options.analysis.config();
  if (!config) return base::pass(config);
  const auto pipeline = replayed(options.directory, std::move(*config));
  if (!pipeline) return base::pass(pipeline);
  const auto report = (*pipeline)->analyze();
  if (!report) return base::pass(report);
  const auto& matrix = (*pipeline)->features();
  auto place = report::claimed_place(*report, matrix, options.finding - 1);
  if (!place) return base::pass(place);
  auto samples =
      samples_of(options.directory, report->channel_table->name(place->evidence.key.channel),
                 report->windows[place->row], report->configuration.window.ticks());
  if (!samples) return base::pass(samples);
  return report::explanation(
      {*report, matrix, options.finding - 1, *place, std::move(*samples), options.directory});
}

int print_explanation(const ExplainArguments& options) {
  const auto text = explain(options);
  if (!text) return complain(text.error());
  const auto done = text::print(text::SafeText(with_documents(*text)));
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_explain(OptionSet& set) {
  auto options = std::make_shared<ExplainArguments>();
  set.value("DIR", options->directory, "directory of the recording").required();
  set.number("FINDING", options->finding, 1, kMaxFindings, "number of the finding in the report");
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) { return print_explanation(*options); };
}

}  // namespace reveal::cli
