// reveal explain: how a finding came about, from the raw samples to the sentence. A finding of a
// recording is found anew; one that an agent kept is told from its folder.
#include <bit>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "agent/finding_id.h"
#include "agent/kept_finding.h"
#include "agent/paths.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "replay/chosen_frames.h"
#include "replay/finding_again.h"
#include "report/explanation.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

constexpr std::size_t kMaxFindings = 1'000'000;

struct ExplainArguments {
  std::string directory;
  std::optional<std::size_t> finding;
  SettingOptions analysis;
};

// Returns the channel's samples from that tick on. The recording is read once more, and derived
// from its begin, as rates need the sample before.
Result<std::vector<double>> samples_of(const std::string& directory, const std::string& channel,
                                       std::uint64_t first_sequence, std::size_t ticks) {
  exchange::Part part;
  part.names = {channel};
  auto chosen = replay::ChosenFrames::open(directory, part, /*derived=*/true);
  if (!chosen) return base::pass(chosen);
  std::vector<double> out(ticks, std::numeric_limits<double>::quiet_NaN());
  for (;;) {
    const auto frame = chosen->frames().next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr || (*frame)->sequence >= first_sequence + ticks) return out;
    if ((*frame)->sequence < first_sequence || (*frame)->bits.empty()) continue;
    const model::ChannelId id(0);  // the one that was chosen
    if ((*frame)->validity[id.index()] == model::Validity::kMissing) continue;
    out[(*frame)->sequence - first_sequence] = std::bit_cast<double>((*frame)->bits[id.index()]);
  }
}

Result<std::string> explain_recorded(const ExplainArguments& options) {
  auto config = options.analysis.config();
  if (!config) return base::pass(config);
  const auto found =
      replay::find_again(options.directory, std::move(*config), options.finding.value_or(1) - 1);
  if (!found) return base::pass(found);
  tell_damage(found->run.damage);
  const auto& report = found->report;
  const auto& matrix = found->run.pipeline->features();
  auto place = report::claimed_place(report, matrix, found->finding);
  if (!place) return base::pass(place);
  auto samples =
      samples_of(options.directory, report.channel_table->name(place->evidence.key.channel),
                 report.windows[place->row].first_sequence, report.configuration.window.ticks());
  if (!samples) return base::pass(samples);
  return report::explanation({report, matrix, found->finding, *place, std::move(*samples),
                              options.directory, found->number, found->count});
}

Result<std::string> explain_kept(const std::filesystem::path& folder) {
  const auto kept = agent::load_kept_finding(folder);
  if (!kept) return base::pass(kept);
  const auto& verdict = kept->verdict;
  const auto samples = samples_of(kept->evidence().string(), verdict.claim.channel,
                                  verdict.first_sequence, verdict.ticks);
  if (!samples) return base::pass(samples);
  return agent::explanation(*kept, *samples);
}

// Returns the folder of a finding that is meant; nothing if it is a recording.
Result<std::optional<std::filesystem::path>> kept_folder(const ExplainArguments& options) {
  using Folder = std::optional<std::filesystem::path>;
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(options.directory, ignored);
  if (is_there && agent::is_finding_folder(options.directory)) return Folder(options.directory);
  if (is_there || !agent::is_finding_id(options.directory)) return Folder();
  const auto settings = options.analysis.settings();
  if (!settings) return base::pass(settings);
  const auto findings = agent::Paths{settings->agent.directory}.findings();
  return agent::find_folder(findings, options.directory).map([](const auto& folder) {
    return Folder(folder);
  });
}

Result<std::string> explain(const ExplainArguments& options) {
  const auto folder = kept_folder(options);
  if (!folder) return base::pass(folder);
  if (!*folder) return explain_recorded(options);
  if (!options.finding) return explain_kept(**folder);
  return base::fail(base::ErrorKind::kUsage, "this is one finding, which has no number",
                    (*folder)->string(), "leave out FINDING");
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
  set.value("DIR", options->directory,
            "directory of the recording; or of a finding that an agent kept, or its name")
      .required();
  set.number("FINDING", options->finding, 1, kMaxFindings,
             "number of the finding in the report of the recording (default: 1)");
  options->analysis.declare(set, "analysis");
  options->analysis.declare(set, "agent");
  return [options](const Invocation&) { return print_explanation(*options); };
}

}  // namespace reveal::cli
