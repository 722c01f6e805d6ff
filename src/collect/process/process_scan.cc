#include "collect/process/process_scan.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <tuple>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/parts/device_files.h"
#include "collect/parts/page_size.h"
#include "collect/tick_clock.h"
#include "procfs/cgroup_identity.h"

namespace reveal::collect {
namespace {

// A process that began this long ago, or less, has all of its use told; of an older one that was
// never read before nobody knows when it used what.
constexpr std::int64_t kNewest_ns = 10'000'000'000;
constexpr std::int64_t kShortest_ns = 20'000'000;  // two ticks of CPU time
constexpr std::uint64_t kClockEvery = 8;           // readings between two looks at the budget
constexpr std::size_t kIoWatched = 16;             // processes whose I/O is read
constexpr std::uint64_t kIoWatch = 30;             // scans
constexpr double kIoCores = 0.01;                  // that make I/O worth a look
// Who did nothing for this many scans before it was stopped keeps nobody waiting: a program that
// somebody has put into the background, say.
constexpr std::uint64_t kBusyBefore = 10;
constexpr std::uint64_t kStopTold = 60;   // scans
constexpr std::size_t kStoppedKept = 64;  // that each scan reads

double seconds_of(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

std::uint64_t growth(std::uint64_t now, std::uint64_t before) {
  return now > before ? now - before : 0;
}

}  // namespace

std::int64_t boot_time_ns() {
  return clock_ns(CLOCK_BOOTTIME);
}

ProcessScan::ProcessScan(const procfs::HostRoot& root, ProcessLimits limits)
    : root_(root.proc),
      limits_(limits),
      ticks_per_second_(static_cast<double>(::sysconf(_SC_CLK_TCK))),
      page_bytes_(page_bytes()) {
  hot_.reserve(64);
  chosen_.reserve(64);
}

base::Result<void> ProcessScan::open() {
  if (!open_folder()) return base::fail_errno(errno, "cannot list processes", root_);
  scan();
  if (reads_ > 0) return {};
  return base::fail(base::ErrorKind::kAbsent, "shows no process", root_);
}

bool ProcessScan::open_folder() {
  folder_.reset(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct ::statfs fs {};
  const bool of_kernel =
      folder_.valid() && ::fstatfs(folder_.get(), &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
  most_kept_ = of_kernel ? share_of_descriptors(limits_.keep) : 0;
  return folder_.valid();
}

std::uint64_t ProcessScan::unread() const {
  return growth(known_.size(), reads_);
}

void ProcessScan::scan() {
  ++scan_;
  reads_ = 0;
  spent_ = false;
  cpu_begin_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  for (const auto pid : hot_) look_at(pid);
  if (position_ != 0 && newest_at_ != 0) visit_from(newest_at_);
  if (visit_from(position_)) end_round();
  watch_io();
  choose();
  // A /proc without a process is gone: another one may have been mounted in its place.
  if (reads_ == 0) open_folder();
}

bool ProcessScan::is_spent() {
  if (spent_ || reads_ >= limits_.reads) return true;
  if (limits_.cpu_time.count() == 0 || reads_ % kClockEvery != 0) return false;
  spent_ = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begin_ns_ > limits_.cpu_time.count();
  return spent_;
}

// The kernel's offsets in /proc are pids, so a position holds while processes come and go.
bool ProcessScan::visit_from(std::int64_t& position) {
  if (::lseek(folder_.get(), position, SEEK_SET) < 0) return true;
  for (;;) {
    const auto got = ::getdents64(folder_.get(), entries_.data(), entries_.size());
    if (got <= 0) return true;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      if (is_spent()) return false;
      const auto* entry = reinterpret_cast<const ::dirent64*>(entries_.data() + at);
      at += entry->d_reclen;
      position = entry->d_off;
      visit(entry->d_name, entry->d_off);
    }
  }
}

void ProcessScan::visit(std::string_view name, std::int64_t next) {
  const auto pid = procfs::parse_u64(name);
  if (!pid || *pid == 0 || *pid > UINT32_MAX) return;
  const auto number = static_cast<std::uint32_t>(*pid);
  if (number >= newest_) {
    newest_ = number;
    newest_at_ = next;
  }
  look_at(number);
}

ProcessScan::Known* ProcessScan::find(std::uint32_t pid) {
  const auto at = std::ranges::lower_bound(known_, pid, {}, &Known::pid);
  return at != known_.end() && at->pid == pid ? &*at : nullptr;
}

ProcessScan::Known* ProcessScan::find_or_add(std::uint32_t pid) {
  const auto at = std::ranges::lower_bound(known_, pid, {}, &Known::pid);
  if (at != known_.end() && at->pid == pid) return &*at;
  if (known_.size() >= limits_.known) return nullptr;
  Known one;
  one.pid = pid;
  return &*known_.insert(at, std::move(one));
}

void ProcessScan::look_at(std::uint32_t pid) {
  auto* one = find(pid);
  if (one != nullptr && one->scan == scan_) return;
  auto text = one != nullptr ? read_kept(*one) : std::string_view();
  base::UniqueFd file;
  if (text.empty()) {
    file = open_file(pid, "stat");
    text = read_text(file);
  }
  const auto stat = procfs::parse_process_stat(text);
  if (!stat) return;
  ++reads_;
  if (one == nullptr) one = find_or_add(pid);
  if (one == nullptr) return;
  take(*one, *stat);
  if (file.valid()) keep(*one, std::move(file));
}

// Returns nothing if the file is not open, or its process has ended.
std::string_view ProcessScan::read_kept(Known& one) {
  if (!one.stat.valid()) return {};
  const auto text = read_text(one.stat);
  if (text.empty()) close(one);
  return text;
}

void ProcessScan::keep(Known& one, base::UniqueFd file) {
  if (kept_ >= most_kept_) return;
  one.stat = std::move(file);
  ++kept_;
}

void ProcessScan::close(Known& one) {
  if (!one.stat.valid()) return;
  one.stat.reset();
  --kept_;
}

void ProcessScan::take(Known& one, const procfs::ProcessStat& stat) {
  const std::int64_t now = limits_.clock();
  if (one.scan == 0 || one.start_ticks != stat.start_ticks) {
    one = {.pid = one.pid, .start_ticks = stat.start_ticks, .stat = std::move(one.stat)};
    const auto start =
        static_cast<std::int64_t>(static_cast<double>(stat.start_ticks) / ticks_per_second_ * 1e9);
    if (start > 0 && now > start && now - start <= kNewest_ns) one.at_ns = one.io_at_ns = start;
  }
  one.scan = scan_;
  one.round = round_;
  one.state = stat.state;
  follow_stop(one);
  if (one.at_ns != 0 && now - one.at_ns < kShortest_ns) return;
  const double resident = static_cast<double>(stat.resident_pages) * page_bytes_;
  if (one.at_ns != 0) {
    one.measured = scan_;
    one.seconds = seconds_of(now - one.at_ns);
    const auto ticks = static_cast<double>(growth(stat.cpu_ticks, one.cpu_ticks));
    one.cores = ticks / ticks_per_second_ / one.seconds;
    one.grown = (resident - one.resident) / one.seconds;
    one.faulted = static_cast<double>(growth(stat.major_faults, one.faults)) / one.seconds;
    if (one.cores >= model::kLeastCores) one.busy = scan_;
  }
  one.at_ns = now;
  one.cpu_ticks = stat.cpu_ticks;
  one.resident = resident;
  one.faults = stat.major_faults;
  one.name_size = static_cast<std::uint8_t>(std::min(stat.name.size(), kLongestName));
  std::copy_n(stat.name.begin(), one.name_size, one.name.begin());
}

void ProcessScan::follow_stop(Known& one) const {
  const bool is_stopped = one.state == 'T' || one.state == 't';
  const bool was_busy = one.busy != 0 && scan_ - one.busy <= kBusyBefore;
  if (!is_stopped) {
    one.stopped_since = 0;
  } else if (one.stopped_since == 0 && was_busy) {
    one.stopped_since = scan_;
  }
}

void ProcessScan::end_round() {
  std::erase_if(known_, [this](Known& one) {
    if (one.round == round_) return false;
    close(one);
    return true;
  });
  ++round_;
  position_ = 0;
  newest_ = 0;
}

// Whoever runs, waits for a disk or faults pages in may be the one that keeps a disk busy.
void ProcessScan::watch_io() {
  order_.clear();
  for (auto& one : known_) {
    if (one.scan != scan_) continue;
    const bool active = one.measured == scan_ && (one.cores >= kIoCores || one.faulted > 0);
    if (active || one.state == 'D') one.io_until = scan_ + kIoWatch;
    if (one.io_until >= scan_) order_.push_back(&one);
  }
  const auto rank = [](const Known* one) {
    return std::tuple(one->read + one->written >= model::kLeastIo, one->state == 'D', one->cores);
  };
  const auto count = std::min(order_.size(), kIoWatched);
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count),
                    order_.end(),
                    [&](const Known* a, const Known* b) { return rank(a) > rank(b); });
  order_.resize(count);
  hot_.clear();
  for (const auto* one : order_) hot_.push_back(one->pid);
  for (const auto pid : hot_) read_io(*find_or_add(pid));
}

void ProcessScan::read_io(Known& one) {
  const auto io = procfs::parse_process_io(read_file(one.pid, "io"));
  // The kernel refuses the I/O of others at the opening or at the reading.
  if (error_ == EACCES || error_ == EPERM) io_refused_ = true;
  if (!io) return;
  const std::int64_t now = limits_.clock();
  if (one.io_at_ns != 0 && now - one.io_at_ns < kShortest_ns) return;
  if (one.io_at_ns != 0) {
    const double seconds = seconds_of(now - one.io_at_ns);
    one.io_measured = scan_;
    one.read = static_cast<double>(growth(io->read_bytes, one.io.read_bytes)) / seconds;
    one.written = static_cast<double>(growth(io->written_bytes, one.io.written_bytes)) / seconds;
  }
  one.io_at_ns = now;
  one.io = *io;
}

void ProcessScan::choose() {
  chosen_.clear();
  choose_by([](const Known& one) { return one.cores; }, model::kLeastCores, model::kMostByCpu);
  choose_by([this](const Known& one) { return one.io_rate(scan_); }, model::kLeastIo,
            model::kMostByIo);
  choose_by([](const Known& one) { return one.grown; }, model::kLeastGrowth, model::kMostByGrowth);
  choose_stopped();
  std::ranges::sort(chosen_);
  chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  largest_.clear();
  for (const auto pid : chosen_) {
    if (const auto* one = find(pid)) largest_.push_back(use_of(*one));
    if (std::ranges::find(hot_, pid) == hot_.end()) hot_.push_back(pid);
  }
}

// A process that is stopped uses nothing, and is looked at all the same: whoever waits for it does
// not know why.
void ProcessScan::choose_stopped() {
  stopped_ = 0;
  std::size_t told = 0;
  for (const auto& one : known_) {
    if (one.scan != scan_ || one.stopped_since == 0) continue;
    if (++stopped_ <= kStoppedKept && std::ranges::find(hot_, one.pid) == hot_.end()) {
      hot_.push_back(one.pid);
    }
    const bool is_new = scan_ - one.stopped_since < kStopTold;
    if (is_new && one.measured == scan_ && ++told <= model::kMostStopped) {
      chosen_.push_back(one.pid);
    }
  }
}

template <typename Measure>
void ProcessScan::choose_by(Measure measure, double least, std::size_t most) {
  order_.clear();
  for (const auto& one : known_) {
    if (one.measured == scan_ && measure(one) >= least) order_.push_back(&one);
  }
  most = std::min(most, order_.size());
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most),
                    order_.end(),
                    [&](const Known* a, const Known* b) { return measure(*a) > measure(*b); });
  for (std::size_t i = 0; i < most; ++i) chosen_.push_back(order_[i]->pid);
}

model::ProcessUse ProcessScan::use_of(const Known& one) {
  model::ProcessUse out;
  out.name.assign(one.name.data(), one.name_size);
  out.pid = one.pid;
  out.start = one.start_ticks;
  out.seconds = one.seconds;
  out.cores = one.cores;
  if (one.io_measured == scan_) {
    out.read = one.read;
    out.written = one.written;
  }
  out.grown = one.grown;
  out.resident = one.resident;
  out.faults = one.faulted;
  out.stopped = one.stopped_since != 0;
  out.group = procfs::short_cgroup_name(procfs::parse_process_cgroup(read_file(one.pid, "cgroup")));
  return out;
}

base::UniqueFd ProcessScan::open_file(std::uint32_t pid, const char* name) {
  std::array<char, 64> path{};
  *fmt::format_to_n(path.data(), path.size() - 1, "{}/{}", pid, name).out = '\0';
  base::UniqueFd file(
      ::openat(folder_.get(), path.data(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  error_ = file.valid() ? 0 : errno;
  return file;
}

// Returns nothing if there is no file, or it cannot be read.
std::string_view ProcessScan::read_text(const base::UniqueFd& file) {
  if (!file.valid()) return {};
  ssize_t got = -1;
  do {
    got = ::pread(file.get(), text_.data(), text_.size(), 0);
  } while (got < 0 && errno == EINTR);
  error_ = got < 0 ? errno : 0;
  return got > 0 ? std::string_view(text_.data(), static_cast<std::size_t>(got))
                 : std::string_view();
}

std::string_view ProcessScan::read_file(std::uint32_t pid, const char* name) {
  return read_text(open_file(pid, name));
}

}  // namespace reveal::collect
