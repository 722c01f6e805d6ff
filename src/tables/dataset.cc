#include "tables/dataset.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

#include "base/new_file.h"
#include "replay/named_recording.h"
#include "tables/dataset_pages.h"

namespace reveal::tables {
namespace {

namespace fs = std::filesystem;
using base::Result;

// Makes the folder, which must be new or empty: what is there already is not ours to change.
Result<void> make_output(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_empty(path, error)) {
    return base::fail(base::ErrorKind::kUsage, "already exists and is not empty", path.string(),
                      "choose a new directory with -o");
  }
  fs::create_directories(path / "schema", error);
  if (!error) return {};
  return base::fail(base::ErrorKind::kIo, "cannot create: " + error.message(), path.string());
}

Result<DatasetEntry> write_entry(const replay::NamedRecording& recording, const Annotations& known,
                                 const fs::path& out, const pipeline::PipelineConfig& config) {
  auto entry = write_dataset_entry(recording.directory, recording.name, known, config, out);
  if (!entry && entry.error().where.empty()) entry.error().where = recording.directory;
  return entry;
}

// A name that was mistyped must not look like recordings of which nobody knows anything.
Result<void> check_files(const AnnotationFiles& files, std::span<const Annotations> known) {
  const auto missing = [known](const std::string& file, auto has) -> Result<void> {
    if (file.empty() || std::ranges::any_of(known, has)) return {};
    return base::fail(base::ErrorKind::kAbsent, "is beside none of the recordings", file,
                      "a relative name is relative to the directory of each recording");
  };
  auto there = missing(files.labels, [](const Annotations& one) { return one.has_label_file; });
  if (there) there = missing(files.truth, [](const auto& one) { return one.truth.has_value(); });
  if (there) there = missing(files.steps, [](const auto& one) { return one.steps.has_value(); });
  return there;
}

Result<std::vector<Annotations>> all_known(const DatasetOrder& order,
                                           std::span<const replay::NamedRecording> recordings) {
  std::vector<Annotations> out;
  for (const auto& recording : recordings) {
    auto known = read_annotations(recording.directory, order.known, order.labels);
    if (!known) return base::pass(known);
    out.push_back(std::move(*known));
  }
  if (auto there = check_files(order.known, out); !there) return base::pass(there);
  return out;
}

Result<void> write_pages(const fs::path& out, const std::vector<DatasetEntry>& entries,
                         const pipeline::PipelineConfig& config) {
  for (const auto& [path, text] :
       {std::pair{out / "metadata.json", dataset_metadata(entries)},
        {out / "schema" / "samples.json", dataset_samples_schema()},
        {out / "schema" / "windows.json", dataset_windows_schema(config)},
        {out / "schema" / "truth.json", dataset_truth_schema()},
        {out / "schema" / "steps.json", dataset_steps_schema()},
        {out / "README.txt", dataset_readme()}}) {
    if (auto done = base::write_new_file(path, text); !done) return done;
  }
  return {};
}

Result<std::vector<replay::NamedRecording>> recordings_of(const DatasetOrder& order) {
  std::vector<replay::NamedRecording> out;
  for (const auto& word : order.recordings) {
    auto recording = replay::named_recording(word);
    if (!recording) return base::pass(recording);
    out.push_back(std::move(*recording));
  }
  return out;
}

}  // namespace

Result<void> write_dataset(const DatasetOrder& order, const pipeline::PipelineConfig& config,
                           const std::function<void(const DatasetEntry&)>& tell) {
  const auto recordings = recordings_of(order);
  if (!recordings) return base::pass(recordings);
  const auto known = all_known(order, *recordings);
  if (!known) return base::pass(known);
  if (auto made = make_output(order.output); !made) return made;
  std::vector<DatasetEntry> entries;
  for (std::size_t i = 0; i < recordings->size(); ++i) {
    auto entry = write_entry((*recordings)[i], (*known)[i], order.output, config);
    if (!entry) return base::pass(entry);
    tell(*entry);
    entries.push_back(std::move(*entry));
  }
  return write_pages(order.output, entries, config);
}

}  // namespace reveal::tables
