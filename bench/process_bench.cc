// What a scan for the largest processes costs, beside reading the same files and nothing else, with
// 300 and with 3000 more processes on this host. "unbounded" reads all in each scan; "default" is
// what recordings do: its budget bounds it, and "read" says how many processes it came to.
//
//   process_bench [scans = 20]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/process/process_scan.h"
#include "procfs/text_cursor.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

// Processes that do nothing.
class Sleepers {
 public:
  explicit Sleepers(int count) {
    for (int i = 0; i < count; ++i) {
      const ::pid_t pid = ::fork();
      if (pid < 0) break;
      if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) ::pause();
      }
      pids_.push_back(pid);
    }
  }
  ~Sleepers() {
    for (const auto pid : pids_) ::kill(pid, SIGKILL);
    for (const auto pid : pids_) ::waitpid(pid, nullptr, 0);
  }
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;
  std::size_t count() const { return pids_.size(); }

 private:
  std::vector<::pid_t> pids_;
};

// Lists /proc and reads the line of each process.
void read_raw(int folder) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ::DIR* listing = ::fdopendir(copy);
  if (listing == nullptr) return;
  char text[4096];
  while (const auto* entry = ::readdir(listing)) {
    if (!procfs::parse_u64(entry->d_name)) continue;
    const auto name = std::string(entry->d_name) + "/stat";
    const base::UniqueFd file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.valid() && ::read(file.get(), text, sizeof text) < 0) continue;
  }
  ::closedir(listing);
}

void print(const char* limits, std::size_t added, const collect::ProcessScan& scan, double us,
           double floor_us) {
  std::printf("%9zu %-10s %9llu %9llu %11.0f %11.0f %8.2f %12.2f\n", added, limits,
              static_cast<unsigned long long>(scan.read()),
              static_cast<unsigned long long>(scan.unread()), us, floor_us, us / floor_us,
              us / 1e4);
}

void measure(int added, int scans) {
  const Sleepers sleepers(added);
  const base::UniqueFd folder(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  collect::ProcessScan all({}, {.cpu_time = {}});
  collect::ProcessScan bounded({});
  if (!all.open() || !bounded.open()) return;
  std::vector<double> all_us;
  std::vector<double> bounded_us;
  std::vector<double> floor_us;
  for (int i = 0; i < scans; ++i) {
    ::usleep(100'000);
    floor_us.push_back(bench::cpu_us([&] { read_raw(folder.get()); }));
    all_us.push_back(bench::cpu_us([&] { all.scan(); }));
    bounded_us.push_back(bench::cpu_us([&] { bounded.scan(); }));
  }
  const double floor = stats::median(floor_us);
  print("unbounded", sleepers.count(), all, stats::median(all_us), floor);
  print("default", sleepers.count(), bounded, stats::median(bounded_us), floor);
}

}  // namespace

int main(int argc, char** argv) {
  const int scans = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  std::printf(
      "    added limits          read    unread     us/scan  us/raw read    ratio  %% of a core\n");
  for (const int added : {0, 300, 3000}) measure(added, scans);
  return 0;
}
