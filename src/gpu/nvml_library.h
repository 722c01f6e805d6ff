// NVIDIA's management library, loaded at run time. Every function is optional: drivers of ten years
// differ in what they have, and one that lacks a function lacks its metrics. If a function was
// renamed or has versions of one layout, the newest that is there is taken.
//
// No call may be made in a process that must not hang: a driver in trouble keeps its callers in the
// kernel for good. See reader.h.
#pragma once

#include <string>

#include "base/result.h"
#include "gpu/nvml_api.h"

namespace reveal::gpu {

// Null if this library has no such function.
struct NvmlApi {
  int (*init)();
  int (*shutdown)();
  const char* (*error_string)(int code);
  int (*driver_version)(char* text, unsigned size);
  int (*device_count)(unsigned* count);
  int (*device_by_index)(unsigned index, NvmlDevice* device);

  int (*pci_info)(NvmlDevice, NvmlPciInfo*);
  int (*name)(NvmlDevice, char* text, unsigned size);
  int (*uuid)(NvmlDevice, char* text, unsigned size);
  int (*vbios)(NvmlDevice, char* text, unsigned size);
  int (*cpu_affinity)(NvmlDevice, unsigned words, unsigned long* mask);
  int (*common_ancestor)(NvmlDevice, NvmlDevice, int* level);

  int (*field_values)(NvmlDevice, int count, NvmlFieldValue*);
  int (*utilization)(NvmlDevice, NvmlUtilization*);
  int (*memory_v2)(NvmlDevice, NvmlMemoryV2*);
  int (*memory)(NvmlDevice, NvmlMemory*);
  int (*bar1_memory)(NvmlDevice, NvmlBar1Memory*);
  int (*clock)(NvmlDevice, int type, unsigned* mhz);
  int (*max_clock)(NvmlDevice, int type, unsigned* mhz);
  int (*application_clock)(NvmlDevice, int type, unsigned* mhz);
  int (*throttle_reasons)(NvmlDevice, unsigned long long* bits);
  int (*performance_state)(NvmlDevice, int* state);
  int (*power)(NvmlDevice, unsigned* mw);
  int (*power_limit)(NvmlDevice, unsigned* mw);
  int (*energy)(NvmlDevice, unsigned long long* mj);
  int (*temperature)(NvmlDevice, int sensor, unsigned* celsius);
  int (*temperature_v)(NvmlDevice, NvmlTemperature*);
  int (*margin_temperature)(NvmlDevice, NvmlMarginTemperature*);
  int (*temperature_threshold)(NvmlDevice, int threshold, unsigned* celsius);
  int (*fan_speed_v2)(NvmlDevice, unsigned fan, unsigned* percent);
  int (*fan_speed)(NvmlDevice, unsigned* percent);
  int (*encoder)(NvmlDevice, unsigned* percent, unsigned* period_us);
  int (*decoder)(NvmlDevice, unsigned* percent, unsigned* period_us);
  int (*jpeg)(NvmlDevice, unsigned* percent, unsigned* period_us);
  int (*optical_flow)(NvmlDevice, unsigned* percent, unsigned* period_us);
  int (*encoder_stats)(NvmlDevice, unsigned* sessions, unsigned* frames_per_second,
                       unsigned* latency_us);
  int (*capture_stats)(NvmlDevice, NvmlCaptureStats*);
  int (*confidential_computing)(NvmlConfidentialComputing*);
  int (*pcie_generation)(NvmlDevice, unsigned*);
  int (*pcie_width)(NvmlDevice, unsigned*);
  int (*max_pcie_generation)(NvmlDevice, unsigned*);
  int (*max_pcie_width)(NvmlDevice, unsigned*);
  int (*nvlink_state)(NvmlDevice, unsigned link, unsigned* active);
  int (*nvlink_errors)(NvmlDevice, unsigned link, int counter, unsigned long long*);
  int (*memory_errors)(NvmlDevice, int type, int counter, int place, unsigned long long*);
  int (*sram_errors)(NvmlDevice, NvmlSramErrors*);
  int (*mig_device_limit)(NvmlDevice, unsigned*);
  int (*mig_device)(NvmlDevice, unsigned index, NvmlDevice*);
  int (*gpu_instance_id)(NvmlDevice, unsigned*);
  int (*compute_instance_id)(NvmlDevice, unsigned*);
  int (*attributes)(NvmlDevice, NvmlAttributes*);
  int (*persistence_mode)(NvmlDevice, unsigned*);
  int (*ecc_mode)(NvmlDevice, unsigned* current, unsigned* pending);
  int (*compute_mode)(NvmlDevice, unsigned*);
  int (*mig_mode)(NvmlDevice, unsigned* current, unsigned* pending);
  int (*numa_node)(NvmlDevice, unsigned*);
  int (*fabric_info)(NvmlDevice, NvmlFabricInfo*);
  int (*compute_processes)(NvmlDevice, unsigned* count, NvmlProcess*);
  int (*graphics_processes)(NvmlDevice, unsigned* count, NvmlProcess*);
  int (*process_utilization)(NvmlDevice, NvmlProcessUtilization*, unsigned* count,
                             unsigned long long since_us);

  int (*event_set_create)(NvmlEventSet*);
  int (*supported_events)(NvmlDevice, unsigned long long* types);
  int (*register_events)(NvmlDevice, unsigned long long types, NvmlEventSet);
  int (*event_set_wait)(NvmlEventSet, NvmlEventData*, unsigned timeout_ms);

  int (*gpm_support)(NvmlDevice, NvmlGpmSupport*);
  int (*gpm_sample_alloc)(NvmlGpmSample*);
  int (*gpm_sample)(NvmlDevice, NvmlGpmSample);
  int (*gpm_metrics)(NvmlGpmMetrics*);
};

class NvmlLibrary {
 public:
  // Loads the library from REVEAL_NVML_PATH if that is set, else from where a driver puts it. Fails
  // with kAbsent if there is none, or none that can be initialized with.
  static base::Result<NvmlLibrary> load();

  const NvmlApi& api() const { return api_; }
  // Returns the library's words for a code, or its number.
  std::string describe(int code) const;

 private:
  // The library stays loaded: drivers leave threads behind that run in it.
  explicit NvmlLibrary(void* handle);

  NvmlApi api_{};
};

}  // namespace reveal::gpu
