#include "gpu/reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "gpu/device_reader.h"
#include "gpu/nvml_library.h"
#include "gpu/shared_readings.h"

namespace reveal::gpu {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kMediumNs = std::chrono::nanoseconds(seconds(1)).count();
constexpr std::int64_t kSlowNs = std::chrono::nanoseconds(seconds(10)).count();
constexpr auto kFarewell = seconds(2);

SharedReadings* map(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || status.st_size != sizeof(SharedReadings)) return nullptr;
  void* at = ::mmap(nullptr, sizeof(SharedReadings), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return at == MAP_FAILED ? nullptr : static_cast<SharedReadings*>(at);
}

// Returns whether the recorder is gone, having waited for that long at most.
bool parent_gone(int fd, int timeout_ms) {
  pollfd end{.fd = fd, .events = POLLIN, .revents = 0};
  const int ready = ::poll(&end, 1, timeout_ms);
  return ready > 0 || (ready < 0 && errno != EINTR);
}

void end_with_parent(int fd) {
  while (!parent_gone(fd, -1)) {
  }
  std::this_thread::sleep_for(kFarewell);  // the sweep that is under way may still end by itself
  ::_exit(kReaderDone);
}

class Reader {
 public:
  Reader(const ReaderOptions& options, SharedReadings& shared)
      : options_(options), shared_(shared) {}

  int run() {
    auto library = NvmlLibrary::load();
    if (!library) return refuse(Phase::kAbsent, kNvmlFunctionNotFound, library.error().what);
    library_ = *library;
    api_ = &library_->api();
    if (const int result = api_->init(); result != kNvmlSuccess) {
      return refuse(Phase::kRefused, result, library_->describe(result));
    }
    find_devices();
    register_events();
    const int status = sweep_on();
    if (api_->shutdown != nullptr) api_->shutdown();
    return status;
  }

 private:
  int refuse(Phase phase, int code, std::string_view why) {
    const auto size = std::min(why.size(), sizeof shared_.error - 1);
    std::memcpy(shared_.error, why.data(), size);
    shared_.refusal.store(code);
    shared_.phase.store(phase);
    return kReaderDone;
  }

  void turn_to(std::int32_t device) {
    shared_.device_now.store(device);
    shared_.heartbeat.fetch_add(1);
  }

  bool is_wanted(unsigned index) const {
    if (options_.only) return index == *options_.only;
    return std::find(options_.except.begin(), options_.except.end(), index) ==
           options_.except.end();
  }

  void find_devices() {
    char driver[sizeof shared_.driver] = {};
    if (api_->driver_version != nullptr && api_->driver_version(driver, sizeof driver) == 0) {
      std::memcpy(shared_.driver, driver, sizeof driver - 1);
    }
    api_->device_count(&device_count_);
    for (unsigned i = 0; i < std::min(device_count_, kMaxGpus); ++i) {
      if (!is_wanted(i)) continue;
      turn_to(static_cast<std::int32_t>(i));
      NvmlDevice device = nullptr;
      if (api_->device_by_index(i, &device) != kNvmlSuccess) continue;
      DeviceReader reader(*api_, device, i, shared_.devices[i]);
      if (!reader.bus_id().empty()) devices_.push_back(reader);
    }
    for (DeviceReader& reader : devices_) {
      turn_to(static_cast<std::int32_t>(reader.index()));
      reader.identify(devices_);
    }
    turn_to(kNoDevice);
    shared_.device_count.store(std::min(device_count_, kMaxGpus));
  }

  void register_events() {
    if (api_->event_set_create == nullptr || api_->register_events == nullptr ||
        api_->supported_events == nullptr || api_->event_set_wait == nullptr ||
        api_->event_set_create(&events_) != kNvmlSuccess) {
      return;
    }
    constexpr auto kWanted = kNvmlEventXid | kNvmlEventDoubleBitEcc | kNvmlEventUnavailable;
    for (DeviceReader& reader : devices_) {
      unsigned long long types = 0;
      turn_to(static_cast<std::int32_t>(reader.index()));
      if (api_->supported_events(reader.device(), &types) != kNvmlSuccess) continue;
      types &= kWanted;
      if (api_->register_events(reader.device(), types, events_) != kNvmlSuccess) continue;
      reader.set_known_events(((types & kNvmlEventXid) != 0 ? 1U << kXidEvent : 0U) |
                              ((types & kNvmlEventDoubleBitEcc) != 0 ? 1U << kDoubleBitEvent : 0U));
    }
    turn_to(kNoDevice);
  }

  int sweep_on() {
    std::int64_t next = monotonic_ns();
    for (;;) {
      const std::int64_t now = monotonic_ns();
      const Cadence slowest = slowest_due(now);
      sweep(slowest);
      if (slowest == Cadence::kSlow && devices_changed()) return kReaderOtherDevices;
      if (is_complete()) shared_.phase.store(Phase::kReady);
      next = std::max(next + options_.interval.count(), monotonic_ns());
      if (parent_gone(options_.parent_fd, milliseconds_until(next))) return kReaderDone;
    }
  }

  // Every signal has been asked for, and what needs two readings has had them.
  bool is_complete() {
    constexpr int kLongestWait = 5;
    return ++sweeps_ >= kLongestWait ||
           std::none_of(devices_.begin(), devices_.end(),
                        [](const auto& reader) { return reader.awaits_gpm(); });
  }

  Cadence slowest_due(std::int64_t now) {
    if (now >= slow_ns_) {
      slow_ns_ = now + kSlowNs;
      medium_ns_ = now + kMediumNs;
      return Cadence::kSlow;
    }
    if (now < medium_ns_) return Cadence::kFast;
    medium_ns_ = now + kMediumNs;
    return Cadence::kMedium;
  }

  static int milliseconds_until(std::int64_t then) {
    return static_cast<int>(std::max<std::int64_t>(0, (then - monotonic_ns()) / 1'000'000));
  }

  void sweep(Cadence slowest) {
    for (DeviceReader& reader : devices_) {
      turn_to(static_cast<std::int32_t>(reader.index()));
      const bool there = reader.read(slowest);
      const bool was_there = std::exchange(there_[reader.index()], there);
      if (was_there && !there) tell(reader.index(), kUnavailableEvent, 0);
    }
    turn_to(kNoDevice);
    if (events_ != nullptr) take_events();
  }

  void take_events() {
    NvmlEventData event{};
    for (unsigned i = 0; i < kMaxEvents; ++i) {
      if (api_->event_set_wait(events_, &event, 0) != kNvmlSuccess) return;
      const auto it = std::find_if(devices_.begin(), devices_.end(), [&](const auto& reader) {
        return reader.device() == event.device;
      });
      if (it == devices_.end()) continue;
      const EventType type = event.type == kNvmlEventXid            ? kXidEvent
                             : event.type == kNvmlEventDoubleBitEcc ? kDoubleBitEvent
                                                                    : kUnavailableEvent;
      it->count(type);
      tell(it->index(), type, event.data);
    }
  }

  void tell(unsigned device, EventType type, std::uint64_t code) {
    const std::uint32_t number = shared_.event_count.load();
    SharedEvent& event = shared_.events[number % kMaxEvents];
    event.device.store(device);
    event.type.store(type);
    event.code.store(code);
    shared_.event_count.store(number + 1);
  }

  bool devices_changed() const {
    unsigned count = 0;
    return api_->device_count(&count) == kNvmlSuccess && count != device_count_;
  }

  const ReaderOptions& options_;
  SharedReadings& shared_;
  std::optional<NvmlLibrary> library_;
  const NvmlApi* api_ = nullptr;  // of library_
  std::vector<DeviceReader> devices_;
  std::array<bool, kMaxGpus> there_ = [] {
    std::array<bool, kMaxGpus> all{};
    all.fill(true);
    return all;
  }();
  NvmlEventSet events_ = nullptr;
  unsigned device_count_ = 0;
  int sweeps_ = 0;
  std::int64_t medium_ns_ = 0;
  std::int64_t slow_ns_ = 0;
};

}  // namespace

int run_reader(const ReaderOptions& options) {
  SharedReadings* shared = map(options.shared_fd);
  if (shared == nullptr) return kReaderMisused;
  // A driver that crashes its callers would else leave a core file each time.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_NAME, "reveal-gpu");
  auto watch =
      base::start_thread("the GPUs' reader", [fd = options.parent_fd] { end_with_parent(fd); });
  // Without it a driver that hangs would keep this process for ever.
  if (!watch) return kReaderMisused;
  watch->detach();
  return Reader(options, *shared).run();
}

}  // namespace reveal::gpu
