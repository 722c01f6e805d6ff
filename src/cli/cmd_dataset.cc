// reveal dataset: recordings as a folder of plain files for others to study.
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "tables/dataset.h"
#include "text/streams.h"
#include "text/words.h"

namespace reveal::cli {
namespace {

using base::Result;

struct DatasetArguments {
  tables::DatasetOrder order;
  SettingOptions analysis;
};

void tell_entry(const tables::DatasetEntry& entry) {
  tell_damage(entry.damage);
  text::tell(fmt::format("{}: {} of {}, {} after selection, {}, findings: {}", entry.folder,
                         text::plural(entry.frames, "frame"),
                         text::plural(entry.raw_channels, "channel"), entry.filtered_channels,
                         text::plural(entry.windows, "window"), entry.findings));
}

Result<void> write_dataset(const DatasetArguments& options) {
  const auto config = options.analysis.config();
  if (!config) return base::pass(config);
  return tables::write_dataset(options.order, *config, tell_entry);
}

}  // namespace

Action declare_dataset(OptionSet& set) {
  auto options = std::make_shared<DatasetArguments>();
  auto& order = options->order;
  set.value("DIR", order.recordings, "directories of the recordings; NAME=DIR names its folder")
      .required();
  set.value("-o,--output", order.output, "directory for the data set, new or empty")
      .placeholder("DIR")
      .required();
  set.value("--label", order.labels, "what is said of each recording, such as model=bert")
      .placeholder("KEY=VALUE");
  const auto beside = [&set](const char* flag, std::string& file, const char* help) {
    set.value(flag, file, help).placeholder("FILE");
  };
  beside("--labels", order.known.labels,
         "JSON object of labels; this and the next: relative to each DIR");
  beside("--truth", order.known.truth, "JSON list of what was really done, and when");
  beside("--steps", order.known.steps, "JSON lines of the job's steps");
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = write_dataset(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
