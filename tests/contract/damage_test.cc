// Files that break under a collector, on a copy of every fixture host: cut anywhere, empty,
// rubbish, a FIFO that nobody writes to, a folder in place of a file, gone. Such a file may cost
// its own channels and nothing else: no crash, no wait, no invented value, no other collector
// disturbed, and all is as before when the file is whole again.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

// Ends the program where a collector waits for a file that never answers. No bound on speed: the
// slowest of these tests takes a fraction of it under any sanitizer.
class HangGuard {
 public:
  HangGuard() { ::alarm(500); }
  ~HangGuard() { ::alarm(0); }
  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;
};

// Returns whether every value of `part` is in `whole` and the same.
bool is_subset(const Values& part, const Values& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// Collectors whose values are sums or counts over the lines of a text. A text cut between two lines
// is one of a host with fewer devices, and so are their values.
bool adds_up_lines(const CollectorDescriptor& descriptor) {
  static const std::set<std::string_view> kNames = {"interrupts", "buddyinfo", "cgroup_network",
                                                    "conntrack",  "neighbors", "udp_queues"};
  return kNames.contains(descriptor.name);
}

// Returns up to twelve of the files that a collector names on the host, one a source first.
std::vector<fs::path> some_files_of(const fs::path& host, const CollectorDescriptor& descriptor) {
  constexpr std::size_t kEnough = 12;
  std::vector<fs::path> out;
  for (const auto& metric : descriptor.metrics()) {
    for (const auto& file : files_of(host, metric.source)) {
      if (out.size() >= kEnough) return out;
      if (!fs::is_regular_file(file)) continue;
      if (std::find(out.begin(), out.end(), file) == out.end()) out.push_back(file);
      break;
    }
  }
  return out;
}

// Cuts the file at some forty places, or ten where a collector has many files.
void check_cuts(const Copy& host, const fs::path& file, const CollectorDescriptor& descriptor,
                std::size_t places) {
  const Values whole = values_of(descriptor, host.path());
  const std::string text = text_of(file);
  const std::size_t step = std::max<std::size_t>(1, text.size() / places);
  for (std::size_t size = 0; size < text.size(); size += step) {
    SCOPED_TRACE(file.string() + " cut at " + std::to_string(size));
    if (adds_up_lines(descriptor) && size > 0 && text[size - 1] == '\n') continue;
    write(file, std::string_view(text).substr(0, size));
    EXPECT_TRUE(is_subset(values_of(descriptor, host.path()), whole));
  }
  write(file, text);
}

TEST(Damage, CutFileInventsNothing) {
  for (const auto& original : hosts()) {
    const Copy host(original);
    for (const auto& descriptor : host_collectors()) {
      SCOPED_TRACE(std::string(descriptor.name) + " on " + original.filename().string());
      const auto files = some_files_of(host.path(), descriptor);
      for (const auto& file : files) {
        check_cuts(host, file, descriptor, files.size() == 1 ? 40 : 10);
      }
    }
  }
}

// Returns whether the collector may read the file. The list of cores is read by whoever has a file
// per core, and its row names that file only.
bool names(const CollectorDescriptor& descriptor, const fs::path& host, const fs::path& file) {
  if (file == host / "sys/devices/system/cpu/online") return true;
  const auto files = files_of(host, descriptor);
  return std::binary_search(files.begin(), files.end(), file);
}

TEST(Damage, CutFileCostsNoOtherCollector) {
  for (const auto& original : hosts()) {
    const Copy host(original);
    std::map<std::string_view, Values> whole;
    for (const auto& descriptor : host_collectors()) {
      whole[descriptor.name] = values_of(descriptor, host.path());
    }
    for (const auto& damaged : host_collectors()) {
      const auto files = some_files_of(host.path(), damaged);
      if (files.empty()) continue;
      const std::string text = text_of(files.front());
      write(files.front(), std::string_view(text).substr(0, text.size() / 2));
      for (const auto& descriptor : host_collectors()) {
        if (names(descriptor, host.path(), files.front())) continue;
        EXPECT_EQ(values_of(descriptor, host.path()), whole[descriptor.name])
            << descriptor.name << " changed with " << files.front();
      }
      write(files.front(), text);
    }
  }
}

std::string rubbish(base::Rng& rng, std::size_t size) {
  static constexpr std::string_view kLetters = "0123456789 :\n\tcpuCPU|-.,/NAx=[]\xff";
  std::string out(size, ' ');
  for (char& c : out) c = kLetters[rng.below(kLetters.size())];
  return out;
}

// What may stand where a regular file was.
enum class Instead { kNothing, kEmpty, kNotAvailable, kRubbish, kFifo, kFolder };

void replace(const fs::path& file, Instead by, base::Rng& rng) {
  fs::remove(file);
  if (by == Instead::kEmpty) write(file, "");
  if (by == Instead::kNotAvailable) write(file, "N/A (no PMA)\n");
  if (by == Instead::kRubbish) write(file, rubbish(rng, rng.below(2000)));
  if (by == Instead::kFifo) {
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0) << file;
  }
  if (by == Instead::kFolder) fs::create_directory(file);
}

void replace_all(const fs::path& host, Instead by, base::Rng& rng) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(host)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  }
  for (const auto& file : files) replace(file, by, rng);
}

// All collectors that can be opened on a host, and what they said at first.
struct Running {
  const CollectorDescriptor* descriptor;
  std::unique_ptr<Bench> bench;
  Values before;
  std::size_t channels;
};

std::vector<Running> open_all(const fs::path& host) {
  std::vector<Running> out;
  for (const auto& descriptor : host_collectors()) {
    auto bench = std::make_unique<Bench>(descriptor, root_of(host));
    if (!bench->open()) continue;
    Values before = bench->tick();
    const auto channels = bench->channels().channel_count();
    out.push_back({&descriptor, std::move(bench), std::move(before), channels});
  }
  return out;
}

// Every file of the host is replaced while all collectors run, and stays so for some ticks; then
// the host is as it was.
void check_instead(const fs::path& original, Instead by) {
  base::Rng rng(7);
  Copy host(original);
  auto running = open_all(host.path());
  const bool lies = by == Instead::kRubbish;  // rubbish may happen to be a value
  for (int tick = 0; tick < (lies ? 10 : 2); ++tick) {
    replace_all(host.path(), by, rng);
    for (auto& one : running) {
      const Values now = one.bench->tick();
      if (!is_of_files(one.descriptor->metrics().front().source) || lies) continue;
      // Folders are still there, and so is what is told by them alone.
      EXPECT_TRUE(is_subset(now, one.before)) << one.descriptor->name;
    }
    open_all(host.path());
    host.restore();
  }
  for (auto& one : running) {
    SCOPED_TRACE(one.descriptor->name);
    if (!is_of_files(one.descriptor->metrics().front().source)) continue;
    const Values after = tick_until_seen(*one.bench);
    for (const auto& [name, value] : one.before) {
      const auto it = after.find(name);
      if (it == after.end()) {
        ADD_FAILURE() << name << " did not come back";
      } else {
        EXPECT_EQ(it->second, value) << name;
      }
    }
    if (!lies) {
      EXPECT_EQ(one.bench->channels().channel_count(), one.channels) << "channels anew";
    }
  }
}

class DamageOfAll : public ::testing::TestWithParam<Instead> {};

TEST_P(DamageOfAll, FilesCostsTheirChannelsUntilTheyAreWhole) {
  const HangGuard guard;
  for (const auto& host : hosts()) {
    SCOPED_TRACE(host.filename());
    check_instead(host, GetParam());
  }
}

std::string name_of(const ::testing::TestParamInfo<Instead>& instead) {
  static constexpr const char* kNames[] = {"Nothing", "Empty", "NotAvailable",
                                           "Rubbish", "Fifo",  "Folder"};
  return kNames[static_cast<int>(instead.param)];
}

INSTANTIATE_TEST_SUITE_P(Instead, DamageOfAll,
                         ::testing::Values(Instead::kNothing, Instead::kEmpty,
                                           Instead::kNotAvailable, Instead::kRubbish,
                                           Instead::kFifo, Instead::kFolder),
                         name_of);

// The whole of proc and sys goes, folders and all, as when a mount is taken away, and comes back.
TEST(Damage, RootsThatVanishAndComeBackKeepTheirChannels) {
  for (const auto& original : hosts()) {
    SCOPED_TRACE(original.filename());
    Copy host(original);
    auto running = open_all(host.path());
    fs::remove_all(host.path() / "proc");
    fs::remove_all(host.path() / "sys");
    for (auto& one : running) one.bench->tick();
    host.restore();
    for (auto& one : running) {
      if (!is_of_files(one.descriptor->metrics().front().source)) continue;
      EXPECT_EQ(tick_until_seen(*one.bench), one.before) << one.descriptor->name;
      EXPECT_EQ(one.bench->channels().channel_count(), one.channels) << one.descriptor->name;
    }
  }
}

}  // namespace
}  // namespace reveal::collect
