// Who uses the GPU, by process: how many hold memory on it, and which worked.
//
// The driver keeps samples of each process's work. To be told of them costs far more than to be
// told who has a context (2.9 ms against 0.1 to 0.3 on an H100), and who is alone on a GPU shares
// it with nobody. So the work is asked for seldom, but at once when a process comes or goes.
#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "gpu/device_reader.h"

namespace reveal::gpu {
namespace {

constexpr std::size_t kMostProcesses = 128;  // that are listed
constexpr unsigned kMostSamples = 4096;
constexpr std::int64_t kSharedPauseNs = 2'000'000'000;
constexpr std::int64_t kAlonePauseNs = 10'000'000'000;
// A turn comes every second, and none is waited for because it comes a little early.
constexpr std::int64_t kEarlyNs = 500'000'000;
// What the first answer tells of; the driver keeps samples of processes that ended long ago.
constexpr std::chrono::seconds kFirstSamples{2};

// Returns the driver's time, which is the wall clock's, from which on samples are told first.
unsigned long long first_samples_us() {
  const auto since = std::chrono::system_clock::now() - kFirstSamples;
  return static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::microseconds>(since.time_since_epoch()).count());
}

bool is_true(const NvmlProcess& process) {
  return process.used_bytes >> 50U == 0;  // else "not available"
}

// Returns the entry of that process, adding it when it is new.
SharedProcessUse& use_of(std::vector<SharedProcessUse>& all, unsigned pid) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const SharedProcessUse& one) { return one.pid == pid; });
  if (found != all.end()) return *found;
  return all.emplace_back(SharedProcessUse{pid, kUnknownShare, 0});
}

// Returns the newest share of each process, those left out that cannot be.
std::vector<SharedProcessUse> newest_of(std::vector<NvmlProcessUtilization> samples) {
  // There may be thousands: sorted, the newest of each process is the last of its own.
  std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) {
    return std::pair(a.pid, a.timestamp_us) < std::pair(b.pid, b.timestamp_us);
  });
  std::vector<SharedProcessUse> out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool newest = i + 1 == samples.size() || samples[i + 1].pid != samples[i].pid;
    if (newest && samples[i].sm <= 100) out.push_back({samples[i].pid, samples[i].sm, 0});
  }
  return out;
}

// Uses of unknown size are none.
bool uses_more(const SharedProcessUse& a, const SharedProcessUse& b) {
  const auto rank = [](const SharedProcessUse& one) {
    return std::pair(one.sm_percent == kUnknownShare ? 0 : one.sm_percent,
                     one.bytes == kUnknownMemory ? 0 : one.bytes);
  };
  return rank(a) != rank(b) ? rank(a) > rank(b) : a.pid < b.pid;
}

}  // namespace

void DeviceReader::list_processes() {
  if (answers_.process_result || api_->compute_processes == nullptr) return;
  std::array<NvmlProcess, kMostProcesses> found{};
  auto count = static_cast<unsigned>(found.size());
  answers_.process_result = api_->compute_processes(device_, &count, found.data());
  answers_.process_count = count;
  if (*answers_.process_result != kNvmlSuccess) return;
  const auto listed = std::min<std::size_t>(count, found.size());
  answers_.processes.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(listed));
}

DeviceReader::Answer DeviceReader::processes(unsigned which) {
  list_processes();
  if (!answers_.process_result) return {};
  // With more processes than there is room for, their number is still true.
  const bool too_many = *answers_.process_result == kNvmlInsufficientSize;
  if (which == 0)
    return {too_many ? kNvmlSuccess : *answers_.process_result, answers_.process_count};
  if (*answers_.process_result != kNvmlSuccess) return {*answers_.process_result, 0};
  const auto& all = answers_.processes;
  if (!std::all_of(all.begin(), all.end(), is_true)) return {kImplausible, 0};
  std::uint64_t bytes = 0;
  for (const NvmlProcess& process : all) bytes += process.used_bytes;
  return {kNvmlSuccess, bytes};
}

void DeviceReader::read_use() {
  list_processes();
  std::vector<unsigned> with_context;
  for (const NvmlProcess& process : answers_.processes) with_context.push_back(process.pid);
  std::sort(with_context.begin(), with_context.end());
  const bool changed = with_context != with_context_;
  with_context_ = std::move(with_context);
  const auto signals = gpu_signals();
  const auto place = static_cast<std::size_t>(
      std::find_if(signals.begin(), signals.end(),
                   [](const Signal& one) { return one.call == Call::kProcessShares; }) -
      signals.begin());
  if ((changed || now_ns_ >= shares_due_ns_) && now_ns_ >= ask_again_[place]) {
    read_shares(place);
    // What is told after a change is still of the time before it.
    const bool several = changed || with_context_.size() > 1 || shares_.size() > 1;
    shares_due_ns_ = now_ns_ + (several ? kSharedPauseNs : kAlonePauseNs) - kEarlyNs;
  }
  auto all = uses();
  std::sort(all.begin(), all.end(), uses_more);
  SharedUse& use = shared_->use;
  use.generation.fetch_add(1);
  use.shares_ns = shares_ns_;
  use.count = static_cast<std::uint32_t>(std::min<std::size_t>(all.size(), kMaxProcesses));
  std::copy_n(all.begin(), use.count, std::begin(use.processes));
  use.read_ns.store(now_ns_);
  use.generation.fetch_add(1);
}

// Returns whether the driver answered; `samples` are what it told.
bool DeviceReader::ask_shares(std::vector<NvmlProcessUtilization>& samples, int& result) {
  result = kNvmlFunctionNotFound;
  if (api_->process_utilization == nullptr) return false;
  if (utilization_seen_us_ == 0) utilization_seen_us_ = first_samples_us();
  auto count = static_cast<unsigned>(kMostProcesses);
  for (int tries = 0; tries < 2; ++tries) {
    samples.assign(count, NvmlProcessUtilization{});
    result = api_->process_utilization(device_, samples.data(), &count, utilization_seen_us_);
    if (result != kNvmlInsufficientSize || count > kMostSamples) break;
  }
  if (result == kNvmlNotFound) count = 0;  // no process has done anything since
  const bool answered = result == kNvmlSuccess || result == kNvmlNotFound;
  samples.resize(answered ? std::min<std::size_t>(count, samples.size()) : 0);
  return answered;
}

void DeviceReader::read_shares(std::size_t place) {
  std::vector<NvmlProcessUtilization> samples;
  int result = kNvmlSuccess;
  const bool answered = ask_shares(samples, result);
  if (answered) result = kNvmlSuccess;
  shares_ns_ = answered ? now_ns_ : 0;
  shares_ = newest_of(samples);
  std::uint64_t percent = 0;
  for (const auto& one : shares_) percent += one.sm_percent;
  for (const auto& sample : samples) {
    utilization_seen_us_ = std::max(utilization_seen_us_, sample.timestamp_us);
  }
  settle(place, result);
  write(gpu_signals()[place], shared_->readings[place],
        {result, std::min<std::uint64_t>(percent, 100)});
}

// Who has a context and no sample did nothing, and who has a sample and no context holds nothing.
std::vector<SharedProcessUse> DeviceReader::uses() const {
  std::vector<SharedProcessUse> out = shares_;
  if (answers_.process_result != kNvmlSuccess) {
    for (auto& one : out) one.bytes = kUnknownMemory;
  }
  for (const NvmlProcess& process : answers_.processes) {
    auto& one = use_of(out, process.pid);
    if (one.sm_percent == kUnknownShare && shares_ns_ != 0) one.sm_percent = 0;
    const bool known = one.bytes != kUnknownMemory && is_true(process);
    one.bytes = known ? one.bytes + process.used_bytes : kUnknownMemory;
  }
  return out;
}

void DeviceReader::read_processes() {
  std::vector<SharedProcess> all;
  const auto add = [&](std::span<const NvmlProcess> found, unsigned graphics) {
    for (const NvmlProcess& one : found) {
      all.push_back({one.pid, graphics, is_true(one) ? one.used_bytes : 0});
    }
  };
  list_processes();
  bool known = answers_.process_result == kNvmlSuccess;
  add(answers_.processes, 0);
  std::array<NvmlProcess, kMostProcesses> found{};
  auto count = static_cast<unsigned>(found.size());
  if (api_->graphics_processes != nullptr &&
      api_->graphics_processes(device_, &count, found.data()) == kNvmlSuccess) {
    known = true;
    add(std::span(found).first(std::min<std::size_t>(count, found.size())), 1);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(b.bytes, a.pid) < std::pair(a.bytes, b.pid);
  });
  shared_->generation.fetch_add(1);
  shared_->identity.processes_known = known ? 1 : 0;
  shared_->identity.process_count = static_cast<std::uint32_t>(all.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), kMaxProcesses); ++i) {
    shared_->identity.processes[i] = all[i];
  }
  shared_->generation.fetch_add(1);
}

}  // namespace reveal::gpu
