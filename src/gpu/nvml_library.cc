#include "gpu/nvml_library.h"

#include <cstdlib>
#include <initializer_list>

#include <dlfcn.h>
#include <fmt/format.h>

namespace reveal::gpu {
namespace {

constexpr const char* kNames[] = {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};

void* open_library() {
  if (const char* path = std::getenv("REVEAL_NVML_PATH"); path != nullptr && *path != '\0') {
    return ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  for (const char* name : kNames) {
    if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

// Binds the first name that the library has.
template <typename Function>
void bind(void* handle, Function& out, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    out = reinterpret_cast<Function>(::dlsym(handle, name));
    if (out != nullptr) return;
  }
}

void bind_identity(void* lib, NvmlApi& api) {
  bind(lib, api.init, {"nvmlInit_v2", "nvmlInit"});
  bind(lib, api.shutdown, {"nvmlShutdown"});
  bind(lib, api.error_string, {"nvmlErrorString"});
  bind(lib, api.driver_version, {"nvmlSystemGetDriverVersion"});
  bind(lib, api.device_count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  bind(lib, api.device_by_index, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  bind(lib, api.pci_info,
       {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"});
  bind(lib, api.name, {"nvmlDeviceGetName"});
  bind(lib, api.uuid, {"nvmlDeviceGetUUID"});
  bind(lib, api.vbios, {"nvmlDeviceGetVbiosVersion"});
  bind(lib, api.cpu_affinity, {"nvmlDeviceGetCpuAffinity"});
  bind(lib, api.common_ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
  bind(lib, api.numa_node, {"nvmlDeviceGetNumaNodeId"});
}

void bind_load(void* lib, NvmlApi& api) {
  bind(lib, api.field_values, {"nvmlDeviceGetFieldValues"});
  bind(lib, api.utilization, {"nvmlDeviceGetUtilizationRates"});
  bind(lib, api.memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
  bind(lib, api.memory, {"nvmlDeviceGetMemoryInfo"});
  bind(lib, api.bar1_memory, {"nvmlDeviceGetBAR1MemoryInfo"});
  bind(lib, api.clock, {"nvmlDeviceGetClockInfo"});
  bind(lib, api.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  bind(lib, api.application_clock, {"nvmlDeviceGetApplicationsClock"});
  bind(lib, api.throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  bind(lib, api.performance_state, {"nvmlDeviceGetPerformanceState", "nvmlDeviceGetPowerState"});
  bind(lib, api.encoder, {"nvmlDeviceGetEncoderUtilization"});
  bind(lib, api.decoder, {"nvmlDeviceGetDecoderUtilization"});
  bind(lib, api.jpeg, {"nvmlDeviceGetJpgUtilization"});
  bind(lib, api.optical_flow, {"nvmlDeviceGetOfaUtilization"});
  bind(lib, api.encoder_stats, {"nvmlDeviceGetEncoderStats"});
  bind(lib, api.capture_stats, {"nvmlDeviceGetFBCStats"});
  bind(lib, api.compute_processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  bind(lib, api.graphics_processes,
       {"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"});
  bind(lib, api.process_utilization, {"nvmlDeviceGetProcessUtilization"});
}

void bind_health(void* lib, NvmlApi& api) {
  bind(lib, api.power, {"nvmlDeviceGetPowerUsage"});
  bind(lib, api.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  bind(lib, api.energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  bind(lib, api.temperature, {"nvmlDeviceGetTemperature"});
  bind(lib, api.temperature_v, {"nvmlDeviceGetTemperatureV"});
  bind(lib, api.margin_temperature, {"nvmlDeviceGetMarginTemperature"});
  bind(lib, api.temperature_threshold, {"nvmlDeviceGetTemperatureThreshold"});
  bind(lib, api.fan_speed_v2, {"nvmlDeviceGetFanSpeed_v2"});
  bind(lib, api.fan_speed, {"nvmlDeviceGetFanSpeed"});
  bind(lib, api.pcie_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  bind(lib, api.pcie_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  bind(lib, api.max_pcie_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
  bind(lib, api.max_pcie_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
  bind(lib, api.nvlink_state, {"nvmlDeviceGetNvLinkState"});
  bind(lib, api.nvlink_errors, {"nvmlDeviceGetNvLinkErrorCounter"});
  bind(lib, api.memory_errors, {"nvmlDeviceGetMemoryErrorCounter"});
  bind(lib, api.sram_errors, {"nvmlDeviceGetSramEccErrorStatus"});
  bind(lib, api.mig_device_limit, {"nvmlDeviceGetMaxMigDeviceCount"});
  bind(lib, api.mig_device, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  bind(lib, api.gpu_instance_id, {"nvmlDeviceGetGpuInstanceId"});
  bind(lib, api.compute_instance_id, {"nvmlDeviceGetComputeInstanceId"});
  bind(lib, api.attributes, {"nvmlDeviceGetAttributes_v2", "nvmlDeviceGetAttributes"});
  bind(lib, api.persistence_mode, {"nvmlDeviceGetPersistenceMode"});
  bind(lib, api.ecc_mode, {"nvmlDeviceGetEccMode"});
  bind(lib, api.compute_mode, {"nvmlDeviceGetComputeMode"});
  bind(lib, api.mig_mode, {"nvmlDeviceGetMigMode"});
  bind(lib, api.fabric_info, {"nvmlDeviceGetGpuFabricInfoV"});
  bind(lib, api.confidential_computing, {"nvmlSystemGetConfComputeState"});
}

void bind_events_and_gpm(void* lib, NvmlApi& api) {
  bind(lib, api.event_set_create, {"nvmlEventSetCreate"});
  bind(lib, api.supported_events, {"nvmlDeviceGetSupportedEventTypes"});
  bind(lib, api.register_events, {"nvmlDeviceRegisterEvents"});
  bind(lib, api.event_set_wait, {"nvmlEventSetWait_v2", "nvmlEventSetWait"});
  bind(lib, api.gpm_support, {"nvmlGpmQueryDeviceSupport"});
  bind(lib, api.gpm_sample_alloc, {"nvmlGpmSampleAlloc"});
  bind(lib, api.gpm_sample, {"nvmlGpmSampleGet"});
  bind(lib, api.gpm_metrics, {"nvmlGpmMetricsGet"});
}

}  // namespace

NvmlLibrary::NvmlLibrary(void* handle) {
  bind_identity(handle, api_);
  bind_load(handle, api_);
  bind_health(handle, api_);
  bind_events_and_gpm(handle, api_);
}

base::Result<NvmlLibrary> NvmlLibrary::load() {
  void* handle = open_library();
  if (handle == nullptr) {
    const char* why = ::dlerror();
    return base::fail(base::ErrorKind::kAbsent, why == nullptr ? "cannot be loaded" : why,
                      "NVIDIA management library");
  }
  NvmlLibrary library(handle);
  const NvmlApi& api = library.api();
  if (api.init == nullptr || api.device_count == nullptr || api.device_by_index == nullptr ||
      api.pci_info == nullptr) {
    return base::fail(base::ErrorKind::kAbsent, "lacks the functions for initialization",
                      "NVIDIA management library");
  }
  return library;
}

std::string NvmlLibrary::describe(int code) const {
  const char* words = api_.error_string == nullptr ? nullptr : api_.error_string(code);
  return words == nullptr ? fmt::format("NVML error {}", code) : std::string(words);
}

}  // namespace reveal::gpu
