#include "exchange/import.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/gathering.h"

namespace reveal::exchange {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

Result<const Format*> format_of(const fs::path& path, const Format* said) {
  const Format* format = said != nullptr ? said : format_of_file(path);
  if (format != nullptr && (format->open_own != nullptr || format->gather != nullptr))
    return format;
  return base::fail(ErrorKind::kUsage, "is not of a format that can be read", path.string(),
                    "choose --format from " + read_formats());
}

// Returns the files of a directory that can be read, by name.
Result<std::vector<fs::path>> files_of(const fs::path& directory, const Format* said,
                                       std::vector<std::string>& remarks) {
  std::vector<fs::path> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (!entry.is_regular_file(ignored) || name.starts_with('.')) continue;
    if (name.ends_with(".meta.json")) continue;
    const Format* format = format_of_file(entry.path());
    const bool known =
        format != nullptr && (format->recognizes == nullptr || format->recognizes(entry.path()));
    if (said != nullptr || known) {
      out.push_back(entry.path());
    } else {
      remarks.push_back(fmt::format(
          "{} is left out: {}", name,
          format == nullptr ? "its name says no format" : "it is not of a program that is known"));
    }
  }
  if (error) {
    return base::fail(ErrorKind::kIo, "cannot be listed: " + error.message(), directory.string());
  }
  std::sort(out.begin(), out.end());
  if (!out.empty()) return out;
  return base::fail(ErrorKind::kTooLittle, "has no file that can be read", directory.string(),
                    "formats are " + read_formats());
}

Result<std::vector<fs::path>> files_at(const fs::path& path, const Format* said,
                                       std::vector<std::string>& remarks) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return files_of(path, said, remarks);
  return std::vector{path};
}

Result<std::unique_ptr<model::FrameSource>> open_own(const Format& format, const fs::path& path) {
  if (format.open_own == nullptr) return nullptr;
  return format.open_own(path);
}

Result<void> gather(const fs::path& path, const Format* said, const ImportOptions& options,
                    Gathering& out) {
  const auto format = format_of(path, said);
  if (!format) return base::pass(format);
  const auto own = open_own(**format, path);
  if (!own) return base::pass(own);
  if (*own != nullptr) {
    return base::fail(ErrorKind::kUsage,
                      "is a whole recording, which cannot be combined with others", path.string(),
                      "import it alone");
  }
  if ((*format)->gather != nullptr) return (*format)->gather(path, options, out);
  return base::fail(ErrorKind::kCorrupt,
                    fmt::format("is not a {} that reveal export wrote", (*format)->name),
                    path.string(), "other programs' samples come as csv, json or text");
}

struct FileSeries {
  std::string name;
  Gathering series;
};

// When the samples of a channel are.
struct Span {
  std::size_t file;
  std::int64_t first_ns;
  std::int64_t last_ns;
};

bool overlap(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::first_ns);
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].first_ns <= spans[i - 1].last_ns) return true;
  }
  return false;
}

// Joins the files of a directory. A channel of the same name in several files is one if its times
// follow one another (a log that was rotated), else one a file: "value{file=cpu}".
Gathering joined(std::vector<FileSeries>& files) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Span>> spans;
  const auto key = [](const Series& one) { return std::tuple(one.metric, one.instance, one.host); };
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const Series& one : files[i].series.all()) {
      if (one.times_ns.empty()) continue;
      const auto [first, last] = std::ranges::minmax(one.times_ns);
      spans[key(one)].push_back({i, first, last});
    }
  }
  Gathering out;
  for (auto& file : files) {
    out.absorb_remarks(file.series);
    for (Series& one : file.series.all()) {
      if (overlap(spans[key(one)])) {
        Labels labels{{"file", file.name}};
        const std::string of_file = channel_of_labels(one.metric, labels, {}).instance;
        one.instance += (one.instance.empty() ? "" : ",") + of_file;
      }
      out.absorb(std::move(one));
    }
  }
  return out;
}

}  // namespace

Result<Import> Import::open(const fs::path& path, const Format* said,
                            const ImportOptions& options) {
  Import out;
  const auto files = files_at(path, said, out.remarks_);
  if (!files) return base::pass(files);
  if (files->size() == 1) {
    const auto format = format_of(files->front(), said);
    if (!format) return base::pass(format);
    auto own = open_own(**format, files->front());
    if (!own) return base::pass(own);
    out.own_ = std::move(*own);
    if (out.own_) return out;
  }
  std::vector<FileSeries> gathered(files->size());
  for (std::size_t i = 0; i < files->size(); ++i) {
    gathered[i].name = (*files)[i].stem().string();
    if (auto done = gather((*files)[i], said, options, gathered[i].series); !done) {
      return base::pass(done);
    }
  }
  Gathering gathering = joined(gathered);
  const std::vector<std::string> told = gathering.remarks();
  auto source = GatheredSource::make(std::move(gathering), options);
  if (!source) {
    auto error = source.error();
    if (!told.empty()) error.what += " (" + told.front() + ")";
    if (error.where.empty()) error.where = path.string();
    return base::Unexpected(std::move(error));
  }
  out.gathered_ = std::make_unique<GatheredSource>(std::move(*source));
  return out;
}

std::vector<std::string> Import::remarks() const {
  auto out = remarks_;
  if (!gathered_) return out;
  for (auto& remark : gathered_->remarks()) out.push_back(std::move(remark));
  return out;
}

}  // namespace reveal::exchange
