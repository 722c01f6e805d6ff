#include "collect/network/net_link_queues.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxEntries = 4096;
constexpr std::uint64_t kMaxMasks = 64;

}  // namespace

const QueueSteering& QueueReader::read(const std::string& folder, procfs::AttributeReader& reader) {
  steering_.queues = steering_.masks = run_ = 0;
  steering_.cpus.clear();
  steering_.text.clear();
  path_.assign(folder).append("/queues");
  procfs::list_folder(path_, names_, kMaxEntries);
  for (const std::string& name : names_) {
    if (!name.starts_with(prefix_)) continue;
    if (++steering_.queues > kMaxMasks) continue;
    path_.assign(folder).append("/queues/").append(name).append("/").append(file_);
    if (const auto mask = reader.read(path_)) add_mask(*mask);
  }
  end_run();
  // A mask that could not be read may have had more cores: then nobody knows how many there are.
  steering_.complete =
      steering_.queues > 0 && steering_.masks == std::min(steering_.queues, kMaxMasks);
  return steering_;
}

void QueueReader::add_mask(std::string_view mask) {
  if (!steering_.cpus.merge(mask)) return;
  ++steering_.masks;
  if (run_ > 0 && mask != run_mask_) end_run();
  run_mask_ = mask;
  ++run_;
}

void QueueReader::end_run() {
  if (run_ == 0) return;
  if (!steering_.text.empty()) steering_.text.append(", ");
  steering_.text.append(run_mask_);
  if (run_ > 1) fmt::format_to(std::back_inserter(steering_.text), " ({} queues)", run_);
  run_ = 0;
}

}  // namespace reveal::collect
