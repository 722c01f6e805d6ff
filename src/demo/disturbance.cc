#include "demo/disturbance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/unique_fd.h"
#include "demo/lossy_network.h"
#include "demo/process.h"

namespace reveal::demo {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kThreads = 4;
constexpr std::size_t kBlockBytes = 1u << 20;
constexpr std::size_t kFileBlocks = 64;  // of each thread's file, which it writes over and over
constexpr double kLostShare = 0.03;
constexpr std::int64_t kLeftBytes = std::int64_t{24} << 20;  // of the job's 64 MiB of data

// Runs the body on kThreads threads, and waits for them.
base::Result<void> on_threads(const std::function<void()>& body) {
  std::vector<std::thread> threads;
  base::Result<void> done;
  for (std::size_t i = 0; i < kThreads && done; ++i) {
    auto thread = base::start_thread("the demo's disturbance", body);
    if (thread) {
      threads.push_back(std::move(*thread));
    } else {
      done = base::pass(thread);
    }
  }
  for (auto& thread : threads) thread.join();
  return done;
}

base::Result<void> compute_only(const Prepared&, milliseconds length) {
  stay_on_few_cores();
  const auto end = Clock::now() + length;
  return on_threads([end] {
    while (Clock::now() < end) {
    }
  });
}

// Writes past the page cache where the file system can do that, else with a flush.
void write_until(int file, Clock::time_point end) {
  const std::unique_ptr<void, decltype(&std::free)> block(std::aligned_alloc(4096, kBlockBytes),
                                                          &std::free);
  if (block == nullptr) return;
  std::fill_n(static_cast<std::byte*>(block.get()), kBlockBytes, std::byte{0xa5});
  const int flags = ::fcntl(file, F_GETFL);
  const bool direct = ::fcntl(file, F_SETFL, flags | O_DIRECT) == 0;
  for (std::size_t number = 0; Clock::now() < end; ++number) {
    const auto offset = static_cast<off_t>(number % kFileBlocks * kBlockBytes);
    if (::pwrite(file, block.get(), kBlockBytes, offset) < 0) return;
    if (!direct && ::fdatasync(file) != 0) return;
  }
}

base::Result<void> write_to_disk(const Prepared&, milliseconds length) {
  std::array<base::UniqueFd, kThreads> files;
  for (auto& file : files) {
    auto made = unnamed_file();
    if (!made) return base::pass(made);
    file = std::move(*made);
  }
  std::atomic<std::size_t> next = 0;
  const auto end = Clock::now() + length;
  return on_threads([&] { write_until(files[next++].get(), end); });
}

base::Result<void> lose_some_packets(const Prepared&, milliseconds length) {
  if (auto done = lose_packets(kLostShare); !done) return done;
  std::this_thread::sleep_for(length);
  return lose_packets(0);
}

// Whether packets can be lost is known before the job starts.
base::Result<Prepared> prepare_network() {
  auto done = enter_own_network();
  if (done) done = lose_packets(0);
  if (!done) return base::pass(done);
  return Prepared{};
}

base::Result<Prepared> prepare_group() {
  if (auto kept = files_can_be_read_again(); !kept) return base::pass(kept);
  const auto folders = own_memory_folders();
  if (!folders) return base::pass(folders);
  auto group = MemoryGroup::make(*folders);
  if (!group) return base::pass(group);
  return Prepared{.group = std::move(*group)};
}

base::Result<void> take_memory(const Prepared& prepared, milliseconds length) {
  if (auto done = prepared.group->limit(kLeftBytes); !done) return done;
  std::this_thread::sleep_for(length);
  return prepared.group->lift();
}

constexpr auto kDisturbances = std::to_array<Disturbance>({
    {"cpu", "another process that computed on the job's cores, with four threads",
     model::Subsystem::kCpu, nullptr, compute_only},
    {"memory",
     "a limit of 24 MiB on the memory of the job, which reads 64 MiB of data over and over",
     model::Subsystem::kMemory, prepare_group, take_memory},
    {"storage", "another process that wrote to the job's disk, with four threads",
     model::Subsystem::kStorage, nullptr, write_to_disk},
    {"network", "a network between the job's ranks that lost 3 % of their packets",
     model::Subsystem::kNetwork, prepare_network, lose_some_packets},
});

}  // namespace

std::span<const Disturbance> disturbances() {
  return kDisturbances;
}

const Disturbance* find_disturbance(std::string_view name) {
  for (const auto& disturbance : kDisturbances) {
    if (disturbance.name == name) return &disturbance;
  }
  return nullptr;
}

}  // namespace reveal::demo
