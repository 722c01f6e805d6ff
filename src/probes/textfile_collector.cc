#include "probes/textfile_collector.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/whole_file.h"

namespace reveal::probes {
namespace {

// An entry that is not of the folder's files is passed over; more than these are not looked at.
constexpr std::size_t kMostEntries = 10'000;

std::string remark_of(const Exposition& read) {
  if (read.refused == 0) return {};
  if (read.refused == 1) return read.first_refusal;
  return fmt::format("{}; {} lines are not read in all", read.first_refusal, read.refused);
}

}  // namespace

// Returns the names of the files, sorted, so that of two files with one series the same one counts.
base::Result<std::vector<std::string>> TextfileCollector::names() {
  std::error_code failed;
  std::vector<std::string> out;
  std::size_t entries = 0;
  for (std::filesystem::directory_iterator each(folder_, failed), end; !failed && each != end;
       each.increment(failed)) {
    if (++entries > kMostEntries) break;
    auto name = each->path().filename().string();
    if (name.ends_with(".prom") && name.front() != '.') out.push_back(std::move(name));
  }
  if (failed) {
    return base::fail_errno(failed.value(), "cannot list the folder of text files",
                            folder_.string(),
                            "make it, or change textfile in [probes] of reveal.toml");
  }
  std::sort(out.begin(), out.end());
  return out;
}

base::Result<void> TextfileCollector::open(const procfs::HostRoot& /*root*/,
                                           model::ChannelTable& /*channels*/) {
  if (auto listed = names(); !listed) return base::pass(listed);
  return {};  // the first reading adds the channels: it must not be thrown away, for it has remarks
}

void TextfileCollector::collect(collect::FrameWriter& writer) {
  channels_.begin(Clock::now());
  auto found = names();
  if (found && found->size() > kMostFiles) {
    channels_.say(writer, "textfile: too many files",
                  fmt::format("the first {} by name are read", kMostFiles));
    found->resize(kMostFiles);
  }
  for (auto& each : files_) each.second.is_here = false;
  if (found) {
    for (const auto& name : *found) look_at(name, writer);
  }
  std::erase_if(files_, [](const auto& each) { return !each.second.is_here; });
  for (auto& each : files_) set_values(each.second, writer);
  channels_.end(writer);
}

void TextfileCollector::look_at(const std::string& name, collect::FrameWriter& writer) {
  struct stat status {};
  if (::stat((folder_ / name).c_str(), &status) != 0) return;
  const Stamp stamp{status.st_ino, status.st_size,
                    status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
  const auto [at, is_first] = files_.try_emplace(name);
  File& file = at->second;
  file.is_here = true;
  file.is_new = is_first || file.stamp != stamp;
  if (!file.is_new) return;
  file.stamp = stamp;
  read(name, file, writer);
}

void TextfileCollector::read(const std::string& name, File& file, collect::FrameWriter& writer) {
  const auto subject = "text file " + name;
  file.samples.clear();
  const auto text = base::read_whole_file(folder_ / name, "text file", kMostBytes);
  if (!text) return channels_.say(writer, subject, text.error().message());
  auto parsed = read_exposition(*text);
  channels_.say(writer, subject, remark_of(parsed));
  file.samples = std::move(parsed.samples);
}

void TextfileCollector::set_values(const File& file, collect::FrameWriter& writer) {
  const auto validity = file.is_new ? model::Validity::kFresh : model::Validity::kStale;
  for (const Sample& sample : file.samples) {
    const auto* metric = channels_.metric(sample.metric);
    if (metric == nullptr) continue;
    channels_.set(writer, *metric, sample.instance, sample.value, validity);
  }
}

}  // namespace reveal::probes
