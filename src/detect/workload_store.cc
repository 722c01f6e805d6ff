#include "detect/workload_store.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include <fmt/format.h>

#include "base/new_file.h"
#include "detect/baseline_file.h"

namespace reveal::detect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".baseline";
constexpr std::string_view kDamaged = ".damaged";
constexpr std::string_view kUnfinished = ".new";  // base/new_file.h

// Returns the files of the folder with that ending, the one written or seen last at the end.
std::vector<fs::path> files_in(const fs::path& folder, std::string_view ending) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (it->path().extension() != ending) continue;
    std::error_code ignored;
    found.emplace_back(fs::last_write_time(it->path(), ignored), it->path());
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> out;
  out.reserve(found.size());
  for (auto& one : found) out.push_back(std::move(one.second));
  return out;
}

}  // namespace

// Nobody else writes here, so what is unfinished is of a process that was killed.
WorkloadStore::WorkloadStore(WorkloadStoreOptions options) : options_(std::move(options)) {
  for (const auto& file : files_in(options_.folder, kUnfinished)) remove(file.filename().string());
  for (const auto& file : files_in(options_.folder, kEnding)) read(file);
  make_room();
}

void WorkloadStore::read(const fs::path& file) {
  const auto baseline = load_baseline(file);
  if (!baseline) {
    refuse(file, baseline.error());
    return;
  }
  std::error_code ignored;
  kept_.push_back({.name = file.filename().string(),
                   .footprint = footprint_of(*baseline),
                   .windows = baseline->windows,
                   .bytes = fs::file_size(file, ignored)});
}

void WorkloadStore::refuse(const fs::path& file, const base::Error& why) {
  troubles_.push_back(why.message());
  if (why.kind == base::ErrorKind::kCorrupt) set_aside(file);
}

void WorkloadStore::set_aside(const fs::path& file) {
  std::error_code failed;
  for (const auto& older : files_in(options_.folder, kDamaged)) fs::remove(older, failed);
  auto aside = file;
  aside.replace_extension(kDamaged);
  fs::rename(file, aside, failed);
  troubles_.push_back(
      failed
          ? fmt::format("{}: cannot be set aside: {}", file.string(), failed.message())
          : fmt::format("{}: is set aside as {}; what was usual of that workload is learned anew",
                        file.string(), aside.filename().string()));
}

std::optional<KnownWorkload> WorkloadStore::find(const Footprint& footprint,
                                                 const window::WindowSpec& windows) {
  auto best = kept_.end();
  for (auto one = kept_.begin(); one != kept_.end(); ++one) {
    if (one->windows != windows || !are_alike(one->footprint, footprint)) continue;
    if (best == kept_.end() ||
        distance(one->footprint, footprint) < distance(best->footprint, footprint)) {
      best = one;
    }
  }
  if (best == kept_.end()) return std::nullopt;
  const auto file = file_of(best->name);
  auto baseline = load_baseline(file);
  if (!baseline) {
    refuse(file, baseline.error());
    kept_.erase(best);
    return std::nullopt;
  }
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
  std::rotate(best, best + 1, kept_.end());
  return KnownWorkload{kept_.back().name,
                       std::make_shared<const FittedBaseline>(*std::move(baseline)),
                       kept_.back().doubts};
}

std::size_t WorkloadStore::doubt(const std::string& name) {
  const auto one = std::ranges::find(kept_, name, &Kept::name);
  return one == kept_.end() ? 0 : ++one->doubts;
}

base::Result<std::string> WorkloadStore::keep(const std::string& name,
                                              const FittedBaseline& baseline) {
  const auto bytes = to_bytes(baseline);
  if (bytes.size() > options_.most_bytes) {
    return base::fail(base::ErrorKind::kNoSpace,
                      fmt::format("what is usual of a workload takes {} bytes here, and {} may be "
                                  "kept: it is not recognized when it comes back",
                                  bytes.size(), options_.most_bytes),
                      options_.folder.string(), "set record.max_size higher");
  }
  std::error_code failed;
  fs::create_directories(options_.folder, failed);
  // A workload that is new is named by the begin of its first run.
  const auto own = name.empty() ? fmt::format("{}{}", baseline.origin.begin_ns, kEnding) : name;
  if (auto written = base::write_new_file(file_of(own), bytes); !written) {
    return base::pass(written);
  }
  std::erase_if(kept_, [&](const Kept& one) { return one.name == own; });
  kept_.push_back({.name = own,
                   .footprint = footprint_of(baseline),
                   .windows = baseline.windows,
                   .bytes = std::uint64_t{bytes.size()}});
  make_room();
  return own;
}

void WorkloadStore::make_room() {
  const auto bytes = [&] {
    std::uint64_t out = 0;
    for (const auto& one : kept_) out += one.bytes;
    return out;
  };
  while (kept_.size() > options_.most || bytes() > options_.most_bytes) {
    remove(kept_.front().name);
    kept_.erase(kept_.begin());
  }
}

void WorkloadStore::remove(const std::string& name) {
  std::error_code failed;
  fs::remove(file_of(name), failed);
  if (failed) {
    troubles_.push_back(
        fmt::format("{}: cannot be removed: {}", file_of(name).string(), failed.message()));
  }
}

}  // namespace reveal::detect
