// reveal dataset: recordings as a folder of plain files for others to study.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/new_file.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "tables/dataset.h"
#include "tables/dataset_pages.h"
#include "text/streams.h"
#include "text/words.h"

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;

struct DatasetArguments {
  std::vector<std::string> directories;
  std::string output;
  SettingOptions analysis;
};

// Makes the folder, which must be new or empty: what is there already is not ours to change.
Result<void> make_output(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path / "schema", error);
  if (error) {
    return base::fail(base::ErrorKind::kIo, "cannot create: " + error.message(), path.string());
  }
  return {};
}

Result<void> check_output(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored) || fs::is_empty(path, ignored)) return {};
  return base::fail(base::ErrorKind::kUsage, "already exists and is not empty", path.string(),
                    "choose a new directory with -o");
}

Result<tables::DatasetEntry> write_entry(const DatasetArguments& options,
                                         const std::string& directory,
                                         const pipeline::PipelineConfig& config) {
  auto entry = tables::write_dataset_entry(directory, config, options.output);
  if (entry) tell_damage(entry->damage);
  if (!entry && entry.error().where.empty()) entry.error().where = directory;
  return entry;
}

Result<void> write_pages(const DatasetArguments& options,
                         const std::vector<tables::DatasetEntry>& entries,
                         const pipeline::PipelineConfig& config) {
  const fs::path out = options.output;
  for (const auto& [path, text] :
       {std::pair{out / "metadata.json", tables::dataset_metadata(entries, config)},
        {out / "schema" / "samples.json", tables::dataset_samples_schema()},
        {out / "schema" / "windows.json", tables::dataset_windows_schema(config)},
        {out / "README.txt", tables::dataset_readme()}}) {
    if (auto done = base::write_new_file(path, text); !done) return done;
  }
  return {};
}

Result<void> write_dataset(const DatasetArguments& options) {
  const auto config = options.analysis.config();
  if (!config) return base::pass(config);
  if (auto fresh = check_output(options.output); !fresh) return fresh;
  if (auto made = make_output(options.output); !made) return made;
  std::vector<tables::DatasetEntry> entries;
  for (const auto& directory : options.directories) {
    auto entry = write_entry(options, directory, *config);
    if (!entry) return base::pass(entry);
    text::tell(fmt::format("{}: {} of {}, {} after selection, {}, findings: {}", entry->folder,
                           text::plural(entry->frames, "frame"),
                           text::plural(entry->raw_channels, "channel"), entry->filtered_channels,
                           text::plural(entry->windows, "window"), entry->findings));
    entries.push_back(std::move(*entry));
  }
  return write_pages(options, entries, *config);
}

}  // namespace

Action declare_dataset(OptionSet& set) {
  auto options = std::make_shared<DatasetArguments>();
  set.value("DIR", options->directories, "directories of the recordings").required();
  set.value("-o,--output", options->output, "directory for the data set, new or empty")
      .placeholder("DIR")
      .required();
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = write_dataset(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
