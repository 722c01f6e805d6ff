// /proc/fs/jbd2/*/info: the journals of mounted file systems (ext4, OCFS2). Whoever calls fsync()
// waits for a commit, and a slow one holds up every task that changes a file.
//
// The kernel takes a copy of the counters when a file is opened, so no file stays open.
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_maker.h"
#include "procfs/attribute_file.h"
#include "procfs/directory.h"
#include "procfs/journal_info.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::size_t kMaxJournals = 64;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .scope = model::Scope::kDevice,
    .doc_url = "https://docs.kernel.org/filesystems/ext4/journal.html"};

constexpr MetricDescriptor kMetrics[] = {
    describe(kOrigin, {.name = "storage_journal_commits_total",
                       .label = "File system journal commits",
                       .unit = "commits",
                       .kind = Kind::kCounter,
                       .source = "/proc/fs/jbd2/*/info transactions",
                       .alias = "transactions",
                       .help = "Transactions of the journal that were written.",
                       .rank = 60}),
    describe(kOrigin, {.name = "storage_journal_requested_commits_total",
                       .label = "Requested file system journal commits",
                       .unit = "commits",
                       .kind = Kind::kCounter,
                       .source = "/proc/fs/jbd2/*/info requested",
                       .alias = "requested",
                       .help = "Commits that somebody asked for, as by fsync(); the others come "
                               "when time is up.",
                       .rank = 80}),
    describe(kOrigin, {.name = "storage_journal_commit_seconds",
                       .label = "Time of a file system journal commit",
                       .unit = "seconds",
                       .scale = 1e-6,
                       .source = "/proc/fs/jbd2/*/info average transaction commit time",
                       .alias = "average transaction commit time",
                       .help = "How long a commit takes; the last one has a weight of a quarter, "
                               "earlier ones have less and less.",
                       .rank = 30}),
};

class JournalCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    folder_ = root.proc_path("fs/jbd2");
    watch_.emplace(folder_);
    scan();
    const std::size_t before = channels.channel_count();
    add_channels_of(*this, channels);
    if (channels.channel_count() > before) return {};
    return base::fail(base::ErrorKind::kAbsent, "no mounted file system has a journal of jbd2",
                      folder_, "nothing to do: only ext4 and OCFS2 have one");
  }

  void collect(FrameWriter& writer) override {
    if (watch_->changed()) scan();
    for (Journal& journal : journals_) read(writer, journal);
  }

 private:
  struct Journal {
    procfs::AttributeFile file;
    InstanceChannels channels;
  };

  void scan() {
    journals_.clear();
    for (const auto& name : procfs::names_in(folder_, kMaxJournals)) {
      const auto instance = fmt::format("journal={}", instance_text(name));
      journals_.push_back({procfs::AttributeFile(fmt::format("{}/{}/info", folder_, name)),
                           InstanceChannels(kMetrics, instance)});
    }
  }

  static void read(FrameWriter& writer, Journal& journal) {
    procfs::AttributeBuffer buffer;
    const auto text = journal.file.read(buffer);
    if (!text) return;
    const auto info = procfs::parse_journal_info(*text);
    journal.channels.set(writer, 0, info.transactions);
    journal.channels.set(writer, 1, info.requested);
    journal.channels.set(writer, 2, info.commit_us);
  }

  std::string folder_;
  std::optional<procfs::Watch> watch_;
  std::vector<Journal> journals_;
};

std::vector<MetricDescriptor> journal_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_journal() {
  return std::make_unique<JournalCollector>();
}

}  // namespace

extern const CollectorDescriptor kJournalCollector = {
    .name = "journal",
    .help = "commits of the journals of ext4 and OCFS2, and how long they take",
    .make = make_journal,
    .metrics = journal_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
