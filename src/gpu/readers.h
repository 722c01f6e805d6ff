// Keeps the reader processes going. One reads all GPUs; a GPU on which it hung or crashed gets a
// reader of its own from then on, started after a pause that grows with each failure, while the
// others are read on at once by a new one without it. A reader that cannot even be killed (the
// kernel holds it) is left alone, and no other is started for its GPU until the kernel lets it go.
//
// tick() never waits for a driver; at most it waits some milliseconds for a killed process to go.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/reader_process.h"

namespace reveal::gpu {

struct ReaderTiming {
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);         // for one GPU
  std::chrono::nanoseconds start_deadline = std::chrono::seconds(60);  // for the driver to wake
  std::chrono::nanoseconds first_pause = std::chrono::seconds(1);
  std::chrono::nanoseconds longest_pause = std::chrono::minutes(5);
};

// Something that happened, in words.
struct ReaderEvent {
  std::string subject;
  std::string text;
};

class Readers {
 public:
  Readers(std::string program, ReaderTiming timing)
      : program_(std::move(program)), timing_(timing) {}

  // Looks after all readers; the first call starts the first. Returns what has happened since the
  // last call.
  std::vector<ReaderEvent> tick(std::int64_t now_ns);

  // Calls `use` with the readings of each reader that has any, and with the number of its events
  // that were seen before, for `use` to bring up to date.
  template <typename Use>
  void for_each(Use use) {
    if (all_.process) use(all_.process->readings(), all_.events_seen);
    for (auto& suspect : suspects_) {
      if (suspect.process) use(suspect.process->readings(), suspect.events_seen);
    }
  }

  // Returns why nothing can be read, once that is certain: no library, or a driver that refuses.
  std::optional<base::Error> refusal() const;

 private:
  struct WatchedGpu {
    std::optional<unsigned> only{};  // nothing: all but the suspects
    std::unique_ptr<ReaderProcess> process{};
    std::uint32_t heartbeat = 0;
    std::uint32_t events_seen = 0;
    std::int64_t alive_ns = 0;    // when the heartbeat was last seen to move
    std::int64_t started_ns = 0;  // the latest start
    std::int64_t start_ns = 0;    // no new start before this
    std::chrono::nanoseconds pause{0};
    bool refused = false;                                 // `process` is kept for what it says
    std::vector<std::unique_ptr<ReaderProcess>> stuck{};  // that could not be killed
  };

  void watch(WatchedGpu& watched, std::int64_t now_ns);
  void start(WatchedGpu& watched, std::int64_t now_ns);
  void watch_running(WatchedGpu& watched, std::int64_t now_ns);
  void watch_ended(WatchedGpu& watched, int status, std::int64_t now_ns);
  void stop(WatchedGpu& watched, const std::string& what, std::string_view then,
            std::int64_t now_ns);
  void blame(unsigned device, std::unique_ptr<ReaderProcess> stuck, std::int64_t now_ns);
  void put_off(WatchedGpu& watched, std::int64_t now_ns) const;
  std::string bus_id_of_device(const SharedReadings& readings, unsigned device);

  std::string program_;
  ReaderTiming timing_;
  WatchedGpu all_;
  std::vector<WatchedGpu> suspects_;
  std::vector<ReaderEvent> events_;
  std::vector<std::string> bus_ids_ = std::vector<std::string>(kMaxGpus);
  std::optional<base::Error> start_error_;
};

}  // namespace reveal::gpu
