// The parts of a GPU that have numbers of their own: its NVLinks, and the MIG instances that it is
// split into.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "gpu/answer_meaning.h"
#include "gpu/device_reader.h"

namespace reveal::gpu {
namespace {

// The bit error ratio is coded as m * 10^-e, m in bits 8 to 11 and e in bits 0 to 7.
double bit_error_ratio(std::uint64_t coded) {
  return static_cast<double>(coded >> 8U & 0xFU) *
         std::pow(10.0, -static_cast<double>(coded & 0xFFU));
}

constexpr unsigned kBitErrorField = 220;

}  // namespace

void DeviceReader::read_links() {
  for (unsigned link = 0; link < kMaxLinks && !lost_; ++link) {
    unsigned state = 0;
    if (api_->nvlink_state == nullptr) return;
    if (api_->nvlink_state(device_, link, &state) != kNvmlSuccess) continue;
    write(link_signals()[0], shared_->links[link][0], {kNvmlSuccess, state});
    has_links_ = has_links_ || state == 1;
    if (state == 1) read_link(link);
  }
}

void DeviceReader::read_link(unsigned link) {
  read_link_fields(link);
  const auto signals = link_signals();
  for (std::size_t i = 1; i < signals.size() && !lost_; ++i) {
    if (signals[i].call != Call::kLinkErrors || now_ns_ < ask_link_again_[link][i]) continue;
    Answer answer;
    if (api_->nvlink_errors != nullptr) {
      unsigned long long errors = 0;
      const int counter = static_cast<int>(signals[i].argument);
      answer = {api_->nvlink_errors(device_, link, counter, &errors), errors};
    }
    write_link(link, i, answer);
  }
}

// All fields that are due, in one call.
void DeviceReader::read_link_fields(unsigned link) {
  const auto signals = link_signals();
  std::array<NvmlFieldValue, kLinkSignals> fields{};
  std::array<std::size_t, kLinkSignals> rows{};
  std::size_t count = 0;
  for (std::size_t i = 1; i < signals.size(); ++i) {
    if (signals[i].call != Call::kField || now_ns_ < ask_link_again_[link][i]) continue;
    fields[count].field = signals[i].argument;
    fields[count].scope = link;
    fields[count].result = kNvmlUnknown;
    rows[count++] = i;
  }
  if (count == 0 || api_->field_values == nullptr) return;
  if (api_->field_values(device_, static_cast<int>(count), fields.data()) != kNvmlSuccess) return;
  for (std::size_t k = 0; k < count; ++k) {
    Answer answer{fields[k].result, 0};
    if (answer.result == kNvmlSuccess) {
      const auto value = whole_of(fields[k]);
      answer = value ? Answer{kNvmlSuccess, *value} : Answer{kImplausible, 0};
      if (value && fields[k].field == kBitErrorField) {
        answer.bits = std::bit_cast<std::uint64_t>(bit_error_ratio(*value));
      }
    }
    write_link(link, rows[k], answer);
  }
}

void DeviceReader::write_link(unsigned link, std::size_t row, Answer answer) {
  ask_link_again_[link][row] = is_lasting(answer.result) ? now_ns_ + kAskAgainNs : 0;
  write(link_signals()[row], shared_->links[link][row], answer);
}

// Instances are made and removed while the driver runs, so they are looked for each time. Their
// places in the library's list change; their ids do not.
void DeviceReader::read_instances() {
  std::array<bool, kMaxInstances> seen{};
  Answer count = mig_mode(0);
  if (count.result == kNvmlSuccess && count.bits == 0) count.result = kNvmlNotSupported;
  if (count.result == kNvmlSuccess) {
    unsigned most = 0;
    count = {kNvmlFunctionNotFound, 0};
    if (api_->mig_device_limit != nullptr && api_->mig_device != nullptr) {
      count.result = api_->mig_device_limit(device_, &most);
    }
    for (unsigned i = 0; i < std::min(most, kMaxInstances) && !lost_; ++i) {
      NvmlDevice instance = nullptr;
      const int result = api_->mig_device(device_, i, &instance);
      if (means_lost(result)) lost_ = true;
      if (result != kNvmlSuccess) continue;
      ++count.bits;
      SharedInstance* at = place_of(instance);
      if (at == nullptr) continue;
      seen[static_cast<std::size_t>(at - std::begin(shared_->instances))] = true;
      read_instance(instance, *at);
    }
  }
  const auto signals = gpu_signals();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].call == Call::kMigInstances) write(signals[i], shared_->readings[i], count);
  }
  for (std::size_t i = 0; i < kMaxInstances; ++i) {
    SharedInstance& gone = shared_->instances[i];
    if (seen[i] || gone.id.load() == kNoInstance) continue;
    for (std::size_t row = 0; row < kInstanceSignals; ++row) {
      write(instance_signals()[row], gone.readings[row], {kNvmlNotFound, 0});
    }
  }
}

// Returns where the instance's numbers are written; null if its ids are not known, or there were
// too many instances.
SharedInstance* DeviceReader::place_of(NvmlDevice instance) {
  unsigned gpu = 0;
  unsigned compute = 0;
  if (api_->gpu_instance_id == nullptr || api_->compute_instance_id == nullptr) return nullptr;
  if (api_->gpu_instance_id(instance, &gpu) != kNvmlSuccess) return nullptr;
  if (api_->compute_instance_id(instance, &compute) != kNvmlSuccess) return nullptr;
  constexpr unsigned kMost = std::numeric_limits<std::uint16_t>::max();
  if (gpu > kMost || compute > kMost) return nullptr;
  const std::uint64_t id = instance_id(gpu, static_cast<std::uint16_t>(compute));
  for (SharedInstance& one : shared_->instances) {
    if (one.id.load() == kNoInstance) one.id.store(id);
    if (one.id.load() == id) return &one;
  }
  return nullptr;
}

void DeviceReader::read_instance(NvmlDevice instance, SharedInstance& at) {
  NvmlMemory memory{};
  NvmlAttributes attributes{};
  const int memory_result = api_->memory == nullptr ? static_cast<int>(kNvmlFunctionNotFound)
                                                    : api_->memory(instance, &memory);
  const int attributes_result = api_->attributes == nullptr
                                    ? static_cast<int>(kNvmlFunctionNotFound)
                                    : api_->attributes(instance, &attributes);
  const std::array<std::uint64_t, 4> parts{memory.total, 0, memory.free, memory.used};
  const auto signals = instance_signals();
  for (std::size_t row = 0; row < signals.size(); ++row) {
    const bool of_memory = signals[row].call == Call::kMemory;
    write(signals[row], at.readings[row],
          of_memory ? Answer{memory_result, parts[signals[row].argument]}
                    : Answer{attributes_result, attributes.multiprocessors});
  }
}

}  // namespace reveal::gpu
