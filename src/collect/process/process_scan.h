// The processes of a host that use most CPU time, storage and memory, found by scans of /proc.
//
// A scan is cheap and bounded, whatever the host runs: it reads the processes that used most in the
// scan before, then those that are new, then as many others as its budget permits; the next scan
// goes on where it stopped. So on a host of a few hundred processes each is read in each scan, and
// on one of thousands the busiest and the newest are. /proc/PID/stat of the first few hundred stays
// open, since to open one costs more than its reading; it is of that process alone (ESRCH once it
// has ended), whoever gets its number. What a process used is the mean since its reading before, or
// since it began, if that was seen. /proc/PID/io and /proc/PID/cgroup are read
// of few. Environment and arguments never are.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>

#include "base/result.h"
#include "base/unique_fd.h"
#include "model/process_use.h"
#include "procfs/host_root.h"
#include "procfs/process.h"

namespace reveal::collect {

// Returns the time since boot, which is what processes' starts are counted in.
std::int64_t boot_time_ns();

struct ProcessLimits {
  std::size_t reads = 4096;  // of processes, in a scan
  // CPU time that a scan's readings may take; zero: as much as they need.
  std::chrono::nanoseconds cpu_time = std::chrono::milliseconds(3);
  std::size_t known = 16384;  // processes; more are not seen
  std::size_t keep = 512;     // of which the file stays open, with a page of the kernel's
  std::int64_t (*clock)() = boot_time_ns;
};

class ProcessScan {
 public:
  explicit ProcessScan(const procfs::HostRoot& root, ProcessLimits limits = {});

  // Makes the first scan, after which nobody's use is known yet. Fails with kAbsent if no process
  // can be read.
  base::Result<void> open();

  void scan();

  // What the largest used, by the latest scan, without order. Each is among the most by one of the
  // measures of process_use.h, or stopped since a minute at most.
  const std::vector<model::ProcessUse>& largest() const { return largest_; }

  // Returns how many processes the latest scan read, and how many that are known it did not.
  std::uint64_t read() const { return reads_; }
  std::uint64_t unread() const;
  // Returns how many processes that had been busy the latest scan saw stopped, by a signal or a
  // tracer.
  std::uint64_t stopped() const { return stopped_; }
  // Returns of how many processes the file is open now.
  std::size_t kept() const { return kept_; }
  // Returns whether /proc/PID/io of any process was refused so far.
  bool io_refused() const { return io_refused_; }

 private:
  static constexpr std::size_t kLongestName = 32;  // kernel threads have more than the usual 15

  struct Known {
    std::uint32_t pid = 0;
    std::uint32_t round = 0;  // in which it was read last
    std::uint64_t scan = 0;   // likewise
    std::uint64_t start_ticks = 0;
    // At the latest reading, and at that of its I/O; 0 if there was none. A process whose start was
    // seen had used nothing then.
    std::int64_t at_ns = 0;
    std::int64_t io_at_ns = 0;
    std::uint64_t cpu_ticks = 0;
    double resident = 0;  // bytes
    std::uint64_t faults = 0;
    procfs::ProcessIo io{};
    std::uint64_t io_until = 0;  // the scan to which its I/O is watched
    // What it used between the latest two readings.
    std::uint64_t measured = 0;     // the scan that says so
    std::uint64_t io_measured = 0;  // likewise
    double seconds = 0;
    double cores = 0;
    double grown = 0;
    double faulted = 0;
    double read = 0;
    double written = 0;
    std::uint64_t busy = 0;           // the scan that last saw it busy; 0: none
    std::uint64_t stopped_since = 0;  // the scan that saw first that it is stopped; 0: it is not
    char state = '?';
    std::uint8_t name_size = 0;
    std::array<char, kLongestName> name{};
    base::UniqueFd stat{};  // its file, while that stays open

    double io_rate(std::uint64_t now) const { return io_measured == now ? read + written : 0; }
  };

  bool open_folder();
  bool is_spent();
  // Goes on in the folder at `position`, which moves. Returns whether that was the folder's end.
  bool visit_from(std::int64_t& position);
  void visit(std::string_view name, std::int64_t next);
  void look_at(std::uint32_t pid);
  Known* find_or_add(std::uint32_t pid);
  Known* find(std::uint32_t pid);
  std::string_view read_kept(Known& one);
  void keep(Known& one, base::UniqueFd file);
  void close(Known& one);
  void take(Known& one, const procfs::ProcessStat& stat);
  void follow_stop(Known& one) const;
  void end_round();
  void watch_io();
  void read_io(Known& one);
  void choose();
  void choose_stopped();
  template <typename Measure>
  void choose_by(Measure measure, double least, std::size_t most);
  model::ProcessUse use_of(const Known& one);
  base::UniqueFd open_file(std::uint32_t pid, const char* name);
  std::string_view read_text(const base::UniqueFd& file);
  std::string_view read_file(std::uint32_t pid, const char* name);

  std::string root_;
  ProcessLimits limits_;
  base::UniqueFd folder_;
  double ticks_per_second_;
  double page_bytes_;
  std::vector<Known> known_;  // by pid
  std::vector<std::uint32_t> hot_;
  std::vector<std::uint32_t> chosen_;
  std::vector<const Known*> order_;
  std::vector<model::ProcessUse> largest_;

  std::uint64_t scan_ = 0;
  std::uint32_t round_ = 1;
  std::uint64_t reads_ = 0;
  std::uint64_t stopped_ = 0;
  std::int64_t cpu_begin_ns_ = 0;
  bool spent_ = false;
  int error_ = 0;  // of the latest file
  bool io_refused_ = false;
  std::size_t most_kept_ = 0;
  std::size_t kept_ = 0;
  std::int64_t position_ = 0;  // in the folder; 0 between two rounds
  // Behind the largest pid, where new processes are, unless pids began anew.
  std::uint32_t newest_ = 0;
  std::int64_t newest_at_ = 0;

  alignas(::dirent64) std::array<char, 16384> entries_{};
  std::array<char, 4096> text_{};
};

}  // namespace reveal::collect
