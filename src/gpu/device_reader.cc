#include "gpu/device_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "gpu/answer_meaning.h"

namespace reveal::gpu {
namespace {

// The least that samples may be apart. An H100 still answers at half of this, and says nothing but
// zeros at a fifth.
constexpr std::int64_t kGpmSpacingNs = 90'000'000;
constexpr unsigned kPcieBytesFields[] = {197, 198};
constexpr unsigned kNvlinkGpmMetrics[] = {60, 61};
constexpr unsigned kCpuWords = 16;  // of 64 cores each
constexpr unsigned kAllLinks = ~0U;

// Calls for several signals at once, or at their own times.
bool is_asked_apart(Call call) {
  return call == Call::kField || call == Call::kGpm || call == Call::kSweepTime ||
         call == Call::kProcessShares || call == Call::kMigInstances;
}

template <std::size_t size>
void copy_text(char (&out)[size], std::string_view text) {
  const auto length = std::min(text.size(), size - 1);
  std::memcpy(out, text.data(), length);
  std::memset(out + length, 0, size - length);
}

template <std::size_t size>
void ask_text(int (*function)(NvmlDevice, char*, unsigned), NvmlDevice device, char (&out)[size]) {
  char text[size] = {};
  if (function == nullptr || function(device, text, size) != kNvmlSuccess) return;
  text[size - 1] = '\0';
  copy_text(out, text);
}

// Returns "0-31,64-95" of a mask.
std::string cpu_list(const unsigned long (&words)[kCpuWords]) {
  const auto has = [&](unsigned cpu) {
    return cpu < kCpuWords * 64 && (words[cpu / 64] >> (cpu % 64) & 1U) != 0;
  };
  std::string out;
  for (unsigned cpu = 0; cpu < kCpuWords * 64; ++cpu) {
    if (!has(cpu)) continue;
    const unsigned first = cpu;
    while (has(cpu + 1)) ++cpu;
    out += fmt::format("{}{}", out.empty() ? "" : ",", first);
    if (cpu != first) out += fmt::format("-{}", cpu);
  }
  return out;
}

std::string_view word_of_ancestor(int level) {
  switch (level) {
    case 0:
      return "same board";
    case 10:
      return "one PCIe switch";
    case 20:
      return "several PCIe switches";
    case 30:
      return "host bridge";
    case 40:
      return "NUMA node";
    case 50:
      return "system";
    default:
      return "";
  }
}

}  // namespace

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string bus_id_of(const NvmlPciInfo& pci) {
  return fmt::format("{:04x}:{:02x}:{:02x}.0", pci.domain, pci.bus, pci.device);
}

DeviceReader::DeviceReader(const NvmlApi& api, NvmlDevice device, unsigned index,
                           SharedDevice& shared)
    : api_(&api), device_(device), index_(index), shared_(&shared) {
  // Another reader's identity has another generation, even if it was written as often.
  shared.generation.store(static_cast<std::uint32_t>(::getpid()) << 10U);
  NvmlPciInfo pci{};
  if (api.pci_info(device, &pci) == kNvmlSuccess) bus_id_ = bus_id_of(pci);
}

void DeviceReader::identify(std::span<const DeviceReader> others) {
  unsigned long words[kCpuWords] = {};
  if (api_->cpu_affinity != nullptr &&
      api_->cpu_affinity(device_, kCpuWords, words) != kNvmlSuccess) {
    std::fill(std::begin(words), std::end(words), 0);
  }
  std::string topology;
  for (const DeviceReader& other : others) {
    int level = -1;
    if (&other == this || api_->common_ancestor == nullptr) continue;
    if (api_->common_ancestor(device_, other.device_, &level) != kNvmlSuccess) continue;
    const auto word = word_of_ancestor(level);
    if (word.empty()) continue;
    topology += fmt::format("{}{} by {}", topology.empty() ? "" : ", ", other.bus_id_, word);
  }
  shared_->generation.fetch_add(1);
  SharedIdentity& identity = shared_->identity;
  copy_text(identity.bus_id, bus_id_);
  ask_text(api_->name, device_, identity.name);
  ask_text(api_->uuid, device_, identity.uuid);
  ask_text(api_->vbios, device_, identity.vbios);
  copy_text(identity.cpus, cpu_list(words));
  copy_text(identity.topology, topology);
  shared_->generation.fetch_add(1);
  shared_->present.store(1);
}

bool DeviceReader::read(Cadence slowest) {
  // One that was lost is asked every ten seconds whether it is back.
  if (lost_ && slowest != Cadence::kSlow) return false;
  now_ns_ = monotonic_ns();
  const bool was_lost = std::exchange(lost_, false);
  answers_ = {};
  const auto signals = gpu_signals();
  for (std::size_t i = 0; i < signals.size() && !lost_; ++i) {
    const Signal& signal = signals[i];
    if (is_asked_apart(signal.call) || !is_due(i, slowest)) continue;
    const Answer answer = ask(signal);
    settle(i, answer.result);
    write(signal, shared_->readings[i], answer);
  }
  if (!lost_ && slowest != Cadence::kFast) read_use();
  if (!lost_ && slowest == Cadence::kSlow) {
    read_links();
    read_instances();
    read_processes();
  }
  if (!lost_) read_gpm(slowest);
  if (!lost_) read_fields(slowest);
  if (lost_ && !was_lost) count(kUnavailableEvent);
  shared_->lost.store(lost_ ? 1 : 0);
  const double seconds = static_cast<double>(monotonic_ns() - now_ns_) * 1e-9;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].call != Call::kSweepTime) continue;
    write(signals[i], shared_->readings[i], {kNvmlSuccess, std::bit_cast<std::uint64_t>(seconds)});
  }
  return !lost_;
}

bool DeviceReader::is_due(std::size_t place, Cadence slowest) const {
  return gpu_signals()[place].cadence <= slowest && now_ns_ >= ask_again_[place];
}

void DeviceReader::settle(std::size_t place, int result) {
  ask_again_[place] = is_lasting(result) ? now_ns_ + kAskAgainNs : 0;
}

void DeviceReader::write(const Signal& signal, SharedReading& at, Answer answer) {
  if (means_lost(answer.result)) lost_ = true;
  if (answer.result == kNvmlSuccess) {
    const bool plausible = signal.real ? is_plausible(signal, std::bit_cast<double>(answer.bits))
                                       : is_plausible(signal, answer.bits);
    if (!plausible) answer.result = kImplausible;
  }
  at.bits.store(answer.bits, std::memory_order_relaxed);
  at.result.store(answer.result, std::memory_order_relaxed);
  at.read_ns.store(now_ns_, std::memory_order_release);
}

void DeviceReader::count(EventType type) {
  ++events_[type];
  const auto signals = gpu_signals();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].call != Call::kEvent || signals[i].argument != type) continue;
    write(signals[i], shared_->readings[i], {kNvmlSuccess, events_[type]});
  }
}

// All fields that are due, in one call.
void DeviceReader::read_fields(Cadence slowest) {
  std::array<NvmlFieldValue, kGpuSignals> fields{};
  std::array<std::size_t, kGpuSignals> places{};
  std::size_t count = 0;
  const auto signals = gpu_signals();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].call != Call::kField || !is_due(i, slowest)) continue;
    if (is_told_by_gpm(signals[i])) {
      write(signals[i], shared_->readings[i], {kNvmlNotSupported, 0});
      continue;
    }
    const bool of_links = signals[i].argument == 138 || signals[i].argument == 139;
    fields[count].field = signals[i].argument;
    fields[count].scope = of_links ? kAllLinks : 0;
    fields[count].result = kNvmlUnknown;  // of one that the library does not fill in
    places[count++] = i;
  }
  if (count == 0) return;
  int result = kNvmlFunctionNotFound;
  if (api_->field_values != nullptr) {
    result = api_->field_values(device_, static_cast<int>(count), fields.data());
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = places[k];
    Answer answer{result == kNvmlSuccess ? fields[k].result : result, 0};
    if (answer.result == kNvmlSuccess) {
      const auto value = whole_of(fields[k]);
      answer = value ? Answer{kNvmlSuccess, *value} : Answer{kImplausible, 0};
    }
    settle(i, answer.result);
    write(signals[i], shared_->readings[i], answer);
  }
}

// The counters of PCIe bytes have 32 bits, which a full link goes round in 70 ms: nobody can tell
// how often. GPM gives the rate at any speed.
bool DeviceReader::is_told_by_gpm(const Signal& signal) const {
  return gpm_ready_ &&
         std::ranges::find(kPcieBytesFields, signal.argument) != std::end(kPcieBytesFields);
}

// Returns whether there is another sample than before.
bool DeviceReader::take_gpm_sample() {
  if (!gpm_ready_ || now_ns_ - sampled_ns_ < kGpmSpacingNs) return false;
  std::size_t unused = 0;
  while (unused == newest_ || unused == slower_from_) ++unused;
  if (api_->gpm_sample(device_, samples_[unused]) != kNvmlSuccess) return false;
  before_ = std::exchange(newest_, unused);
  return std::exchange(sampled_ns_, now_ns_) != 0;
}

// GPM gives what went on between two samples. On an H100 the most telling numbers cost 40 us
// together and are taken with every sweep; the others cost some 230 us each and are of a second.
void DeviceReader::read_gpm(Cadence slowest) {
  if (api_->gpm_metrics == nullptr || api_->gpm_sample == nullptr) return;
  if (!std::exchange(gpm_asked_, true)) {
    NvmlGpmSupport support{.version = 1, .supported = 0};
    gpm_ready_ = api_->gpm_support != nullptr && api_->gpm_sample_alloc != nullptr &&
                 api_->gpm_support(device_, &support) == kNvmlSuccess && support.supported != 0 &&
                 std::ranges::all_of(samples_, [&](NvmlGpmSample& sample) {
                   return api_->gpm_sample_alloc(&sample) == kNvmlSuccess;
                 });
  }
  if (!take_gpm_sample()) return;
  read_gpm(Cadence::kFast, samples_[before_]);
  if (!has_slower_from_ || slowest != Cadence::kFast) {
    read_gpm(Cadence::kMedium, samples_[has_slower_from_ ? slower_from_ : before_]);
    slower_from_ = newest_;
    has_slower_from_ = true;
  }
  gpm_told_ = true;
}

// Writes the numbers of one cadence, from a sample to the newest.
void DeviceReader::read_gpm(Cadence cadence, NvmlGpmSample from) {
  NvmlGpmMetrics metrics{};
  std::array<std::size_t, kMaxGpmMetrics> places{};
  metrics.version = 1;
  metrics.from = from;
  metrics.to = samples_[newest_];
  const auto signals = gpu_signals();
  for (std::size_t i = 0; i < signals.size() && metrics.count < kMaxGpmMetrics; ++i) {
    if (signals[i].call != Call::kGpm || signals[i].cadence != cadence) continue;
    if (!has_links_ &&
        std::ranges::find(kNvlinkGpmMetrics, signals[i].argument) != std::end(kNvlinkGpmMetrics)) {
      write(signals[i], shared_->readings[i], {kNvmlNotSupported, 0});
      continue;
    }
    places[metrics.count] = i;
    metrics.metrics[metrics.count++].metric = signals[i].argument;
  }
  const int result = api_->gpm_metrics(&metrics);
  for (std::size_t k = 0; k < metrics.count && k < kMaxGpmMetrics; ++k) {
    const NvmlGpmMetric& metric = metrics.metrics[k];
    write(signals[places[k]], shared_->readings[places[k]],
          {result == kNvmlSuccess ? metric.result : result,
           std::bit_cast<std::uint64_t>(metric.value)});
  }
}

}  // namespace reveal::gpu
