// The used part of NVIDIA's management library, declared here: the library is loaded at run time if
// it is installed, and nothing of NVIDIA's is needed to build. Names of functions, layouts and
// numbers are the interface's; https://docs.nvidia.com/deploy/nvml-api/ describes them. A layout
// that grows carries its version and size in its first word, and the library refuses what it does
// not know.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reveal::gpu {

using NvmlDevice = struct NvmlDeviceHandle*;      // the library's own
using NvmlEventSet = struct NvmlEventSetHandle*;  // likewise
using NvmlGpmSample = struct NvmlGpmSampleHandle*;

// What every function returns.
enum NvmlReturn : int {
  kNvmlSuccess = 0,
  kNvmlInvalidArgument = 2,
  kNvmlNotSupported = 3,
  kNvmlNoPermission = 4,
  kNvmlNotFound = 6,
  kNvmlInsufficientSize = 7,
  kNvmlDriverNotLoaded = 9,
  kNvmlTimeout = 10,
  kNvmlFunctionNotFound = 13,
  kNvmlGpuIsLost = 15,
  kNvmlResetRequired = 16,
  kNvmlVersionMismatch = 18,
  kNvmlUnknown = 999,
};

constexpr unsigned version_of(std::size_t size, unsigned version) {
  return static_cast<unsigned>(size) | (version << 24U);
}

struct NvmlPciInfo {
  char legacy_bus_id[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned device_id;
  unsigned subsystem_id;
  char bus_id[32];
  char room[64];  // for versions to come
};

struct NvmlUtilization {
  unsigned gpu;     // percent of time
  unsigned memory;  // percent of time
};

struct NvmlMemory {  // bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct NvmlMemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;  // without what is reserved
};

struct NvmlBar1Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct NvmlTemperature {
  unsigned version;
  int sensor;
  int celsius;
};

struct NvmlMarginTemperature {
  unsigned version;
  int celsius;
};

struct NvmlFieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_us;
  long long latency_us;
  int type;  // NvmlValueType
  int result;
  union {
    double real;
    unsigned u32;
    unsigned long word;
    unsigned long long u64;
    long long s64;
    int s32;
    unsigned short u16;
  } value;
};

enum NvmlValueType : int {
  kNvmlDouble = 0,
  kNvmlU32 = 1,
  kNvmlWord = 2,
  kNvmlU64 = 3,
  kNvmlS64 = 4,
  kNvmlS32 = 5,
  kNvmlU16 = 6,
};

struct NvmlProcess {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct NvmlProcessUtilization {
  unsigned pid;
  unsigned long long timestamp_us;
  unsigned sm;  // percent
  unsigned memory;
  unsigned encoder;
  unsigned decoder;
};

struct NvmlEventData {
  NvmlDevice device;
  unsigned long long type;
  unsigned long long data;  // the code of an XID
  unsigned gpu_instance;
  unsigned compute_instance;
};

inline constexpr unsigned long long kNvmlEventDoubleBitEcc = 0x2;
inline constexpr unsigned long long kNvmlEventXid = 0x8;
inline constexpr unsigned long long kNvmlEventUnavailable = 0x4000;

struct NvmlFabricInfo {
  unsigned version;
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
};

// Version 1.
struct NvmlSramErrors {
  unsigned version;
  unsigned long long lifetime[3];  // parity, SEC-DED, corrected
  unsigned long long of_driver[3];
  unsigned long long lifetime_uncorrected[5];  // L2, SM, PCIe, microcontrollers, others
  unsigned above_threshold;
};

// Of the frame buffer's capture (FBC).
struct NvmlCaptureStats {
  unsigned sessions;
  unsigned frames_per_second;
  unsigned latency_us;
};

struct NvmlConfidentialComputing {
  unsigned environment;
  unsigned feature;  // 1: on
  unsigned tools_mode;
};

struct NvmlAttributes {
  unsigned multiprocessors;
  unsigned copy_engines;
  unsigned decoders;
  unsigned encoders;
  unsigned jpeg_engines;
  unsigned optical_flow_engines;
  unsigned gpu_slices;
  unsigned compute_slices;
  unsigned long long memory_mib;
};

struct NvmlGpmSupport {
  unsigned version;
  unsigned supported;
};

struct NvmlGpmMetric {
  unsigned metric;
  int result;
  double value;
  const char* short_name;
  const char* long_name;
  const char* unit;
};

// The library takes as many metrics as are said, so the array may be shorter than its own.
inline constexpr std::size_t kMaxGpmMetrics = 16;
struct NvmlGpmMetrics {
  unsigned version;
  unsigned count;
  NvmlGpmSample from;
  NvmlGpmSample to;
  NvmlGpmMetric metrics[kMaxGpmMetrics];
};

static_assert(offsetof(NvmlPciInfo, domain) == 16 && offsetof(NvmlPciInfo, bus_id) == 36);
static_assert(sizeof(NvmlMemoryV2) == 40 && offsetof(NvmlMemoryV2, total) == 8);
static_assert(sizeof(NvmlFieldValue) == 40 && offsetof(NvmlFieldValue, value) == 32);
static_assert(sizeof(NvmlProcess) == 24 && offsetof(NvmlProcess, used_bytes) == 8);
static_assert(sizeof(NvmlProcessUtilization) == 32);
static_assert(sizeof(NvmlEventData) == 32 && offsetof(NvmlEventData, data) == 16);
static_assert(sizeof(NvmlFabricInfo) == 36 && offsetof(NvmlFabricInfo, state) == 28);
static_assert(sizeof(NvmlSramErrors) == 104 && offsetof(NvmlSramErrors, above_threshold) == 96);
static_assert(sizeof(NvmlAttributes) == 40);
static_assert(sizeof(NvmlGpmMetric) == 40 && offsetof(NvmlGpmMetrics, metrics) == 24);

}  // namespace reveal::gpu
