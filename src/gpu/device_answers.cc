// The calls of the library behind each signal, but for fields and GPM, which are asked for
// together.
#include <algorithm>
#include <array>
#include <bit>

#include "gpu/device_reader.h"

namespace reveal::gpu {

template <typename Function, typename... Arguments>
DeviceReader::Answer DeviceReader::number(Function function, Arguments... arguments) {
  if (function == nullptr) return {};
  unsigned value = 0;
  const int result = function(device_, arguments..., &value);
  return {result, value};
}

DeviceReader::Answer DeviceReader::ask(const Signal& signal) {
  switch (signal.call) {
    case Call::kClock:
    case Call::kMaxClock:
    case Call::kApplicationClock:
    case Call::kThrottle:
    case Call::kPerformanceState:
      return ask_clock(signal);
    case Call::kPower:
    case Call::kPowerLimit:
    case Call::kEnergy:
    case Call::kTemperature:
    case Call::kMargin:
    case Call::kThreshold:
    case Call::kFan:
      return ask_heat(signal);
    case Call::kPcieGeneration:
    case Call::kPcieWidth:
    case Call::kMaxPcieGeneration:
    case Call::kMaxPcieWidth:
      return ask_link(signal);
    case Call::kPersistence:
    case Call::kEccMode:
    case Call::kComputeMode:
    case Call::kMigMode:
    case Call::kNumaNode:
    case Call::kFabricState:
    case Call::kConfidential:
    case Call::kErrorsAt:
    case Call::kSramThreshold:
      return ask_mode(signal);
    default:
      return ask_load(signal);
  }
}

DeviceReader::Answer DeviceReader::ask_load(const Signal& signal) {
  unsigned period_us = 0;
  const auto busy = [&](int (*function)(NvmlDevice, unsigned*, unsigned*)) -> Answer {
    if (function == nullptr) return {};
    unsigned percent = 0;
    const int result = function(device_, &percent, &period_us);
    return {result, percent};
  };
  switch (signal.call) {
    case Call::kUtilization:
      return utilization(signal.argument);
    case Call::kMemory:
      return memory(signal.argument);
    case Call::kBar1: {
      NvmlBar1Memory bar1{};
      if (api_->bar1_memory == nullptr) return {};
      const int result = api_->bar1_memory(device_, &bar1);
      return {result, bar1.used};
    }
    case Call::kEncoder:
      return busy(api_->encoder);
    case Call::kDecoder:
      return busy(api_->decoder);
    case Call::kJpeg:
      return busy(api_->jpeg);
    case Call::kOpticalFlow:
      return busy(api_->optical_flow);
    case Call::kEncoding:
      return encoding(signal.argument);
    case Call::kCapture:
      return capture(signal.argument);
    case Call::kProcesses:
      return processes(signal.argument);
    case Call::kEvent:
      return event(signal.argument);
    default:
      return {};
  }
}

DeviceReader::Answer DeviceReader::ask_clock(const Signal& signal) {
  const int type = static_cast<int>(signal.argument);
  switch (signal.call) {
    case Call::kClock:
      return number(api_->clock, type);
    case Call::kMaxClock:
      return number(api_->max_clock, type);
    case Call::kApplicationClock:
      return number(api_->application_clock, type);
    case Call::kThrottle:
      return throttle(signal.argument);
    default: {
      int state = 0;
      if (api_->performance_state == nullptr) return {};
      const int result = api_->performance_state(device_, &state);
      return {result, state < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(state)};
    }
  }
}

DeviceReader::Answer DeviceReader::ask_heat(const Signal& signal) {
  switch (signal.call) {
    case Call::kPower:
      return number(api_->power);
    case Call::kPowerLimit:
      return number(api_->power_limit);
    case Call::kTemperature:
      return temperature();
    case Call::kMargin:
      return margin();
    case Call::kThreshold:
      return number(api_->temperature_threshold, static_cast<int>(signal.argument));
    case Call::kFan:
      return fan();
    default: {
      unsigned long long mj = 0;
      if (api_->energy == nullptr) return {};
      const int result = api_->energy(device_, &mj);
      return {result, mj};
    }
  }
}

DeviceReader::Answer DeviceReader::ask_link(const Signal& signal) {
  switch (signal.call) {
    case Call::kPcieGeneration:
      return number(api_->pcie_generation);
    case Call::kPcieWidth:
      return number(api_->pcie_width);
    case Call::kMaxPcieGeneration:
      return number(api_->max_pcie_generation);
    default:
      return number(api_->max_pcie_width);
  }
}

DeviceReader::Answer DeviceReader::ask_mode(const Signal& signal) {
  const auto current = [&](int (*function)(NvmlDevice, unsigned*, unsigned*)) -> Answer {
    if (function == nullptr) return {};
    unsigned now = 0;
    unsigned pending = 0;
    const int result = function(device_, &now, &pending);
    return {result, now};
  };
  switch (signal.call) {
    case Call::kPersistence:
      return number(api_->persistence_mode);
    case Call::kEccMode:
      return current(api_->ecc_mode);
    case Call::kComputeMode:
      return number(api_->compute_mode);
    case Call::kMigMode:
      return mig_mode(signal.argument);
    case Call::kErrorsAt:
      return memory_errors(signal.argument);
    case Call::kSramThreshold:
      return sram_threshold();
    case Call::kNumaNode:
      return number(api_->numa_node);
    case Call::kConfidential:
      return confidential_computing();
    default:
      return fabric();
  }
}

DeviceReader::Answer DeviceReader::utilization(unsigned which) {
  if (api_->utilization == nullptr) return {};
  if (!answers_.utilization_result) {
    answers_.utilization_result = api_->utilization(device_, &answers_.utilization);
  }
  return {*answers_.utilization_result,
          which == 0 ? answers_.utilization.gpu : answers_.utilization.memory};
}

// The older layout counts what is reserved as used, and does not say how much it is.
DeviceReader::Answer DeviceReader::memory(unsigned which) {
  constexpr unsigned kReserved = 1;
  if (!answers_.memory_result && api_->memory_v2 != nullptr) {
    answers_.memory.version = version_of(sizeof(NvmlMemoryV2), 2);
    answers_.memory_result = api_->memory_v2(device_, &answers_.memory);
  }
  if (!answers_.memory_result || *answers_.memory_result == kNvmlFunctionNotFound) {
    NvmlMemory old{};
    if (which == kReserved || api_->memory == nullptr) return {};
    const int result = api_->memory(device_, &old);
    return {result, which == 0 ? old.total : which == 2 ? old.free : old.used};
  }
  const NvmlMemoryV2& memory = answers_.memory;
  const std::array<std::uint64_t, 4> parts{memory.total, memory.reserved, memory.free, memory.used};
  return {*answers_.memory_result, parts[which]};
}

DeviceReader::Answer DeviceReader::throttle(unsigned bit) {
  if (api_->throttle_reasons == nullptr) return {};
  if (!answers_.throttle_result) {
    answers_.throttle_result = api_->throttle_reasons(device_, &answers_.throttle);
  }
  // Nine reasons are known. Bits far above them are no new reason but a sentinel.
  if (*answers_.throttle_result == kNvmlSuccess && answers_.throttle >> 32U != 0) {
    return {kImplausible, 0};
  }
  return {*answers_.throttle_result, (answers_.throttle & bit) != 0 ? 1U : 0U};
}

namespace {

unsigned part_of(const NvmlCaptureStats& stats, unsigned part) {
  return std::array{stats.sessions, stats.frames_per_second, stats.latency_us}[part];
}

}  // namespace

DeviceReader::Answer DeviceReader::encoding(unsigned part) {
  if (api_->encoder_stats == nullptr) return {};
  auto& stats = answers_.encoding;
  if (!answers_.encoding_result) {
    answers_.encoding_result =
        api_->encoder_stats(device_, &stats.sessions, &stats.frames_per_second, &stats.latency_us);
  }
  return {*answers_.encoding_result, part_of(stats, part)};
}

DeviceReader::Answer DeviceReader::capture(unsigned part) {
  if (api_->capture_stats == nullptr) return {};
  if (!answers_.capture_result) {
    answers_.capture_result = api_->capture_stats(device_, &answers_.capture);
  }
  return {*answers_.capture_result, part_of(answers_.capture, part)};
}

// New drivers call the plain function obsolete and may drop it.
DeviceReader::Answer DeviceReader::temperature() {
  constexpr int kChip = 0;
  if (api_->temperature != nullptr) return number(api_->temperature, kChip);
  if (api_->temperature_v == nullptr) return {};
  NvmlTemperature reading{version_of(sizeof(NvmlTemperature), 1), kChip, 0};
  const int result = api_->temperature_v(device_, &reading);
  if (result == kNvmlSuccess && reading.celsius < 0) return {kImplausible, 0};
  return {result, static_cast<std::uint64_t>(reading.celsius)};
}

DeviceReader::Answer DeviceReader::margin() {
  if (api_->margin_temperature == nullptr) return {};
  NvmlMarginTemperature reading{version_of(sizeof(NvmlMarginTemperature), 1), 0};
  const int result = api_->margin_temperature(device_, &reading);
  return {result, std::bit_cast<std::uint64_t>(static_cast<double>(reading.celsius))};
}

DeviceReader::Answer DeviceReader::fan() {
  if (api_->fan_speed_v2 != nullptr) return number(api_->fan_speed_v2, 0U);
  return number(api_->fan_speed);
}

DeviceReader::Answer DeviceReader::fabric() {
  if (api_->fabric_info == nullptr) return {};
  NvmlFabricInfo info{};
  info.version = version_of(sizeof(NvmlFabricInfo), 2);
  const int result = api_->fabric_info(device_, &info);
  return {result, info.state};
}

DeviceReader::Answer DeviceReader::confidential_computing() {
  if (api_->confidential_computing == nullptr) return {};
  NvmlConfidentialComputing state{};
  const int result = api_->confidential_computing(&state);
  return {result, state.feature};
}

DeviceReader::Answer DeviceReader::mig_mode(unsigned which) {
  if (api_->mig_mode == nullptr) return {};
  auto& modes = answers_.mig_modes;
  if (!answers_.mig_result) answers_.mig_result = api_->mig_mode(device_, &modes[0], &modes[1]);
  return {*answers_.mig_result, modes[which]};
}

DeviceReader::Answer DeviceReader::memory_errors(unsigned which) {
  if (api_->memory_errors == nullptr) return {};
  unsigned long long errors = 0;
  const int result = api_->memory_errors(device_, static_cast<int>(which >> 8U & 1U),
                                         static_cast<int>(which >> 9U & 1U),
                                         static_cast<int>(which & 0xFFU), &errors);
  return {result, errors};
}

DeviceReader::Answer DeviceReader::sram_threshold() {
  if (api_->sram_errors == nullptr) return {};
  NvmlSramErrors errors{};
  errors.version = version_of(sizeof errors, 1);
  const int result = api_->sram_errors(device_, &errors);
  return {result, errors.above_threshold};
}

DeviceReader::Answer DeviceReader::event(unsigned type) const {
  const bool known = type == kUnavailableEvent || (known_events_ >> type & 1U) != 0;
  if (!known) return {kNvmlNotSupported, 0};
  return {kNvmlSuccess, events_[type]};
}

}  // namespace reveal::gpu
