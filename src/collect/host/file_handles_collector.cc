// /proc/sys/fs/file-nr and inode-nr: files that are open on the whole host, and inodes that the
// kernel keeps. Both are sums that the kernel has at hand.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "procfs/number_list.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kMemory,
    .doc_url = "https://docs.kernel.org/admin-guide/sysctl/fs.html#file-max-file-nr"};

constexpr MetricDescriptor kFiles[] = {
    describe(kOrigin, {.name = "memory_open_files",
                       .label = "Open files",
                       .unit = "files",
                       .source = "/proc/sys/fs/file-nr 1",
                       .alias = "file-nr",
                       .help = "Files, sockets and pipes that are open on the whole host.",
                       .rank = 80}),
    describe(kOrigin, {.name = "memory_open_files_limit",
                       .label = "Limit of open files",
                       .unit = "files",
                       .kind = model::Kind::kStatic,
                       .source = "/proc/sys/fs/file-nr 3",
                       .alias = "file-max",
                       .help = "The most files that may be open on the whole host.",
                       .rank = 150}),
};
constexpr MetricDescriptor kInodes[] = {
    describe(kOrigin, {.name = "memory_inodes",
                       .label = "Inodes in memory",
                       .unit = "inodes",
                       .source = "/proc/sys/fs/inode-nr 1",
                       .alias = "inode-nr",
                       .help = "Inodes that the kernel keeps, of files in use or not.",
                       .rank = 120}),
    describe(kOrigin, {.name = "memory_free_inodes",
                       .label = "Unused inodes in memory",
                       .unit = "inodes",
                       .source = "/proc/sys/fs/inode-nr 2",
                       .alias = "nr_free_inodes",
                       .help = "Inodes that the kernel keeps of files that nobody uses.",
                       .rank = 150}),
};

std::vector<MetricDescriptor> file_handles_metrics() {
  return {std::begin(kFiles), std::end(kFiles)};
}
std::vector<MetricDescriptor> inodes_metrics() {
  return {std::begin(kInodes), std::end(kInodes)};
}

std::unique_ptr<Collector> make_file_handles() {
  return std::make_unique<KeyedCollector<procfs::NumberListLayout>>("sys/fs/file-nr",
                                                                    file_handles_metrics());
}
std::unique_ptr<Collector> make_inodes() {
  return std::make_unique<KeyedCollector<procfs::NumberListLayout>>("sys/fs/inode-nr",
                                                                    inodes_metrics());
}

}  // namespace

extern const CollectorDescriptor kFileHandlesCollector = {
    .name = "file_handles",
    .help = "open files of the whole host",
    .make = make_file_handles,
    .metrics = file_handles_metrics,
    .poll_class = PollClass::kMedium,
};

extern const CollectorDescriptor kInodesCollector = {
    .name = "inodes",
    .help = "inodes in memory",
    .make = make_inodes,
    .metrics = inodes_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
