#include "gpu/readers.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "gpu/device_reader.h"
#include "gpu/reader.h"

namespace reveal::gpu {
namespace {

// After so long without trouble a reader has earned the shortest pause again.
constexpr std::chrono::nanoseconds kProbation = std::chrono::minutes(1);

template <std::size_t size>
std::string text_of(const char (&text)[size]) {
  return {text, ::strnlen(text, size)};
}

std::string ended_how(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("crashed with {}", ::sigdescr_np(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace

std::vector<ReaderEvent> Readers::tick(std::int64_t now_ns) {
  watch(all_, now_ns);
  for (WatchedGpu& suspect : suspects_) watch(suspect, now_ns);
  return std::exchange(events_, {});
}

void Readers::watch(WatchedGpu& watched, std::int64_t now_ns) {
  std::erase_if(watched.stuck, [](const auto& process) { return process->ended().has_value(); });
  if (watched.process) return watch_running(watched, now_ns);
  if (watched.stuck.empty() && now_ns >= watched.start_ns) start(watched, now_ns);
}

void Readers::start(WatchedGpu& watched, std::int64_t now_ns) {
  Selection selection{watched.only, {}};
  if (!watched.only) {
    for (const auto& suspect : suspects_) selection.except.push_back(*suspect.only);
  }
  auto started = ReaderProcess::start(program_, selection, timing_.interval);
  if (!started) {
    start_error_ = started.error();
    return put_off(watched, now_ns);
  }
  start_error_.reset();
  watched.process = std::move(*started);
  watched.heartbeat = 0;
  watched.events_seen = 0;
  watched.refused = false;
  watched.started_ns = now_ns;
  watched.alive_ns = now_ns;
}

void Readers::watch_running(WatchedGpu& watched, std::int64_t now_ns) {
  if (const auto status = watched.process->ended()) return watch_ended(watched, *status, now_ns);
  const SharedReadings& readings = watched.process->readings();
  if (const auto heartbeat = readings.heartbeat.load(); heartbeat != watched.heartbeat) {
    watched.heartbeat = heartbeat;
    watched.alive_ns = now_ns;
    if (now_ns - watched.started_ns > kProbation.count()) watched.pause = {};
    return;
  }
  const bool awake = readings.phase.load() == Phase::kReady;
  const auto patience = awake ? timing_.deadline : timing_.start_deadline;
  if (now_ns - watched.alive_ns <= patience.count()) return;
  stop(watched,
       fmt::format("the NVIDIA driver has not answered for {:g} s",
                   std::chrono::duration<double>(patience).count()),
       "its reader was stopped and started again", now_ns);
}

void Readers::watch_ended(WatchedGpu& watched, int status, std::int64_t now_ns) {
  const Phase phase = watched.process->readings().phase.load();
  if (phase == Phase::kAbsent || phase == Phase::kRefused) {
    if (!watched.refused) put_off(watched, now_ns);
    watched.refused = true;
    if (now_ns >= watched.start_ns) watched.process.reset();
    return;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kReaderOtherDevices) {
    watched.process.reset();
    return;
  }
  stop(watched, "the reader of the NVIDIA driver " + ended_how(status), "it was started again",
       now_ns);
}

void Readers::stop(WatchedGpu& watched, const std::string& what, std::string_view then,
                   std::int64_t now_ns) {
  auto process = std::move(watched.process);
  const std::int32_t number = process->readings().device_now.load();
  const bool known = number >= 0 && number < static_cast<std::int32_t>(kMaxGpus);
  const auto device = static_cast<unsigned>(known ? number : 0);
  const std::string gpu = known ? bus_id_of_device(process->readings(), device) : "";
  events_.push_back({known ? "gpu " + gpu : "GPU reader",
                     fmt::format("{}{}; {}", what, known ? " on GPU " + gpu : "", then)});
  std::unique_ptr<ReaderProcess> stuck = process->kill() ? nullptr : std::move(process);
  if (known && !watched.only) {
    watched.start_ns = now_ns;  // the others are read on at once
    return blame(device, std::move(stuck), now_ns);
  }
  if (stuck) watched.stuck.push_back(std::move(stuck));
  put_off(watched, now_ns);
}

void Readers::blame(unsigned device, std::unique_ptr<ReaderProcess> stuck, std::int64_t now_ns) {
  auto it = std::find_if(suspects_.begin(), suspects_.end(),
                         [&](const WatchedGpu& suspect) { return suspect.only == device; });
  if (it == suspects_.end()) {
    suspects_.emplace_back().only = device;
    it = std::prev(suspects_.end());
  }
  if (stuck) it->stuck.push_back(std::move(stuck));
  put_off(*it, now_ns);
}

void Readers::put_off(WatchedGpu& watched, std::int64_t now_ns) const {
  watched.pause = watched.pause.count() == 0 ? timing_.first_pause
                                             : std::min(watched.pause * 2, timing_.longest_pause);
  watched.start_ns = now_ns + watched.pause.count();
}

std::string Readers::bus_id_of_device(const SharedReadings& readings, unsigned device) {
  if (readings.devices[device].present.load() != 0) {
    bus_ids_[device] = text_of(readings.devices[device].identity.bus_id);
  }
  return bus_ids_[device].empty() ? fmt::format("number {}", device) : bus_ids_[device];
}

std::optional<base::Error> Readers::refusal() const {
  if (start_error_) return start_error_;
  if (!all_.process) return std::nullopt;
  const SharedReadings& readings = all_.process->readings();
  switch (readings.phase.load()) {
    case Phase::kAbsent:
      return base::Error{base::ErrorKind::kAbsent, text_of(readings.error),
                         "NVIDIA management library",
                         "install the NVIDIA driver's libnvidia-ml.so.1, or mount it into the "
                         "container (NVIDIA_DRIVER_CAPABILITIES=utility)"};
    case Phase::kRefused:
      break;
    default:
      return std::nullopt;
  }
  const int code = readings.refusal.load();
  base::Error out{base::ErrorKind::kIo, text_of(readings.error), "NVIDIA driver", ""};
  if (code == kNvmlDriverNotLoaded) {
    out.kind = base::ErrorKind::kAbsent;
    out.remedy = "load the NVIDIA kernel module (modprobe nvidia)";
  } else if (code == kNvmlNoPermission) {
    out.kind = base::ErrorKind::kPermission;
    out.remedy = "give the user access to /dev/nvidia*";
  } else if (code == kNvmlVersionMismatch) {
    out.remedy = "reload the NVIDIA kernel module or reboot: it is older than its library";
  }
  return out;
}

}  // namespace reveal::gpu
