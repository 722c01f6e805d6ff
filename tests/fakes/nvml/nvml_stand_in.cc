// A stand-in for NVIDIA's management library. What it answers is in the file that
// NVML_STAND_IN_SCRIPT names, which is read again whenever it is replaced, so that a test can
// change a GPU while it is read. A line is "WHO KEY ANSWER"; WHO is lib or the number of a GPU:
//
//   lib devices 2
//   lib init 9                 nvmlInit returns 9
//   0 bus 17                   of 0000:17:00.0
//   0 power 250000             a number
//   0 field.186 305000:u32     a field of that type: u32 u64 s64 s32 f64 odd
//   0 field.138.all 7          with its scope: all, or the number of a link where there is one
//   0 gpm.5 42.5
//   0 processes 812:4096       pids and bytes of those with a context
//   0 work 812:60 900:35:30    pids and percent of those that worked, and how many seconds ago it
//                              was, if not since the last question; none: no sample
//   0 ecc.1.0.7 3              memory errors: not corrected, since the driver was loaded, of SRAM
//   0 sram_threshold 1         more SRAM errors than the board may have
//   0 link_errors.2.0 5        of NVLink 2, its counter 0
//   0 mig 1:0                  MIG mode: current and pending
//   0 mig.most 7               MIG devices that there can be
//   0 mig.2 11                 its MIG device at index 2 is the device 11, which has lines of its
//   own 11 gi 3                    ids of that MIG device 0 xid 79                   an event, told
//   once for each different line 0 power =15                returns 15 (GPU is lost) 0 power hang
//   does not return while the script says so 0 power crash              kills the process as a
//   segmentation fault does 1 * =15                    every call for this GPU
//
// What is not said is not supported. The layouts here are written down anew from NVIDIA's
// documentation, not taken from Reveal's, so that a mistake in one shows.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;
[[maybe_unused]] constexpr int kTimeout = 10;

struct Script {
  std::map<std::string, std::string> answers;
  ino_t inode = 0;
};

Script& script() {
  static Script* kept = new Script;
  const char* path = std::getenv("NVML_STAND_IN_SCRIPT");
  struct stat status {};
  if (path == nullptr || ::stat(path, &status) != 0 || status.st_ino == kept->inode) return *kept;
  kept->inode = status.st_ino;
  kept->answers.clear();
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string who;
    std::string key;
    std::string answer;
    words >> who >> key;
    std::getline(words >> std::ws, answer);
    kept->answers[who + " " + key] = answer;
  }
  return *kept;
}

struct Device {
  int number;
};

Device& device_of(int number) {
  static Device all[64];
  all[number].number = number;
  return all[number];
}

std::string raw(const std::string& who, const std::string& key) {
  for (;;) {
    const auto& answers = script().answers;
    auto it = answers.find(who + " *");
    if (it == answers.end()) it = answers.find(who + " " + key);
    if (it == answers.end()) return {};
    if (it->second == "crash") {
      std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an orderly end of it
      std::raise(SIGSEGV);
    }
    if (it->second != "hang") return it->second;
    ::usleep(5000);
  }
}

// Returns the code, and sets `out` where that is success.
int text(const std::string& who, const std::string& key, std::string& out) {
  const std::string answer = raw(who, key);
  if (answer.empty()) return kNotSupported;
  if (answer[0] == '=') return std::atoi(answer.c_str() + 1);
  out = answer;
  return kSuccess;
}

template <typename Number>
int number(Device* device, const std::string& key, Number* out) {
  std::string answer;
  const int code = text(std::to_string(device->number), key, answer);
  if (code == kSuccess) *out = static_cast<Number>(std::strtoull(answer.c_str(), nullptr, 0));
  return code;
}

int words(Device* device, const char* key, char* out, unsigned size) {
  std::string answer;
  const int code = text(std::to_string(device->number), key, answer);
  if (code == kSuccess) std::snprintf(out, size, "%s", answer.c_str());
  return code;
}

union Value {
  double f64;
  unsigned u32;
  unsigned long long u64;
  long long s64;
  int s32;
};

struct Field {
  unsigned id, scope;
  long long timestamp, latency;
  int type, code;
  Value value;
};

[[maybe_unused]] void fill(Device* device, Field& field) {
  const std::string key = "field." + std::to_string(field.id);
  const std::string who = std::to_string(device->number);
  const std::string scope = field.scope == ~0U ? "all" : std::to_string(field.scope);
  std::string answer;
  field.code = text(who, key + "." + scope, answer);
  if (field.code == kNotSupported && field.scope == 0) field.code = text(who, key, answer);
  if (field.code != kSuccess) return;
  const auto colon = answer.find(':');
  const std::string type = colon == std::string::npos ? "u64" : answer.substr(colon + 1);
  const char* digits = answer.c_str();
  field.value.u64 = 0;
  if (type == "f64") field.type = 0, field.value.f64 = std::strtod(digits, nullptr);
  if (type == "u32")
    field.type = 1, field.value.u32 = static_cast<unsigned>(std::strtoul(digits, nullptr, 0));
  if (type == "u64") field.type = 3, field.value.u64 = std::strtoull(digits, nullptr, 0);
  if (type == "s64") field.type = 4, field.value.s64 = std::strtoll(digits, nullptr, 0);
  if (type == "s32")
    field.type = 5, field.value.s32 = static_cast<int>(std::strtol(digits, nullptr, 0));
  if (type == "odd") field.type = 99;
}

struct Process {
  unsigned pid;
  unsigned long long bytes;
  unsigned instance, compute;
};

// "812:4096 900:100" are pids and bytes.
[[maybe_unused]] int processes(Device* device, const char* key, unsigned* count, Process* out) {
  std::string answer;
  const int code = text(std::to_string(device->number), key, answer);
  if (code != kSuccess) return code;
  std::istringstream list(answer);
  unsigned found = 0;
  const unsigned room = *count;
  for (std::string one; list >> one; ++found) {
    if (found >= room || one == "none") continue;
    out[found].pid = static_cast<unsigned>(std::strtoul(one.c_str(), nullptr, 10));
    out[found].bytes = std::strtoull(one.substr(one.find(':') + 1).c_str(), nullptr, 0);
  }
  *count = answer == "none" ? 0 : found;
  return found > room ? kInsufficientSize : kSuccess;
}

struct Work {
  unsigned pid;
  unsigned long long time_us;
  unsigned sm, memory, encoder, decoder;
};

// Returns when a sample was taken: so many seconds ago if the script says it, else just after the
// question before.
[[maybe_unused]] unsigned long long sample_us(const std::string& said, unsigned long long next_us) {
  const auto age = said.find(':', said.find(':') + 1);
  if (age == std::string::npos) return next_us;
  const auto ago_s = std::strtoul(said.c_str() + age + 1, nullptr, 10);
  return (static_cast<unsigned long long>(std::time(nullptr)) - ago_s) * 1000000ULL;
}

// Of a pid that is said twice the second sample is the newer. All whose age is not said are new at
// each question; the others are told while they are newer than what was asked for.
[[maybe_unused]] int work(Device* device, Work* out, unsigned* count, unsigned long long since_us) {
  std::string answer;
  const int code = text(std::to_string(device->number), "work", answer);
  if (code != kSuccess) return code;
  if (answer == "none") return kNotFound;
  std::istringstream list(answer);
  unsigned found = 0;
  const unsigned room = *count;
  for (std::string one; list >> one;) {
    const auto time_us = sample_us(one, since_us + 1 + found);
    if (time_us <= since_us) continue;
    if (++found > room) continue;
    const auto colon = one.find(':');
    out[found - 1] = {static_cast<unsigned>(std::strtoul(one.c_str(), nullptr, 10)),
                      time_us,
                      static_cast<unsigned>(std::strtoul(one.c_str() + colon + 1, nullptr, 10)),
                      0,
                      0,
                      0};
  }
  *count = found;
  return found > room ? kInsufficientSize : kSuccess;
}

}  // namespace

extern "C" {

int nvmlInit() {
  std::string answer;
  if (text("lib", "init", answer) == kNotSupported) return kSuccess;
  return std::atoi(answer.c_str());
}
int nvmlShutdown() {
  return kSuccess;
}
const char* nvmlErrorString(int code) {
  return code == 9 ? "Driver Not Loaded" : code == 18 ? "Driver/library version mismatch" : "Error";
}
int nvmlSystemGetDriverVersion(char* out, unsigned size) {
  std::string answer;
  const int code = text("lib", "driver", answer);
  if (code == kSuccess) std::snprintf(out, size, "%s", answer.c_str());
  return code;
}
int nvmlDeviceGetCount(unsigned* count) {
  std::string answer;
  const int code = text("lib", "devices", answer);
  *count = static_cast<unsigned>(std::atoi(answer.c_str()));
  return code;
}
int nvmlDeviceGetHandleByIndex(unsigned index, Device** device) {
  *device = &device_of(static_cast<int>(index));
  unsigned bus = 0;
  return number(*device, "bus", &bus);
}
struct Pci {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
};
int nvmlDeviceGetPciInfo_v2(Device* device, Pci* out) {
  std::string answer;
  const int code = text(std::to_string(device->number), "bus", answer);
  out->domain = 0;
  out->bus = static_cast<unsigned>(std::strtoul(answer.c_str(), nullptr, 16));
  out->device = 0;
  return code;
}
int nvmlDeviceGetName(Device* d, char* out, unsigned size) {
  return words(d, "name", out, size);
}
int nvmlDeviceGetUUID(Device* d, char* out, unsigned size) {
  return words(d, "uuid", out, size);
}
int nvmlDeviceGetVbiosVersion(Device* d, char* out, unsigned size) {
  return words(d, "vbios", out, size);
}
int nvmlDeviceGetCpuAffinity(Device* d, unsigned size, unsigned long* mask) {
  std::memset(mask, 0, size * sizeof *mask);
  return number(d, "cpus", mask);
}
int nvmlDeviceGetTopologyCommonAncestor(Device* d, Device* other, int* level) {
  return number(d, "ancestor." + std::to_string(other->number), level);
}
int nvmlDeviceGetUtilizationRates(Device* d, unsigned* rates) {
  const int code = number(d, "util.gpu", &rates[0]);
  return code != kSuccess ? code : number(d, "util.memory", &rates[1]);
}
int nvmlDeviceGetMemoryInfo(Device* d, unsigned long long* total_free_used) {
  number(d, "memory.total", &total_free_used[0]);
  number(d, "memory.free", &total_free_used[1]);
  return number(d, "memory.used", &total_free_used[2]);
}
int nvmlDeviceGetClockInfo(Device* d, int type, unsigned* mhz) {
  return number(d, "clock." + std::to_string(type), mhz);
}
int nvmlDeviceGetMaxClockInfo(Device* d, int type, unsigned* mhz) {
  return number(d, "max_clock." + std::to_string(type), mhz);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Device* d, unsigned long long* bits) {
  return number(d, "throttle", bits);
}
int nvmlDeviceGetPowerUsage(Device* d, unsigned* mw) {
  return number(d, "power", mw);
}
int nvmlDeviceGetTotalEnergyConsumption(Device* d, unsigned long long* mj) {
  return number(d, "energy", mj);
}
int nvmlDeviceGetFanSpeed(Device* d, unsigned* percent) {
  return number(d, "fan", percent);
}
int nvmlDeviceGetPersistenceMode(Device* d, unsigned* mode) {
  return number(d, "persistence", mode);
}
int nvmlDeviceGetPerformanceState(Device* d, int* state) {
  return number(d, "pstate", state);
}
int nvmlDeviceGetTemperature(Device* d, int sensor, unsigned* celsius) {
  return sensor == 0 ? number(d, "temperature", celsius) : 2;
}

#ifndef STAND_IN_OLD
int nvmlInit_v2() {
  return nvmlInit();
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  return nvmlDeviceGetCount(count);
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device** device) {
  return nvmlDeviceGetHandleByIndex(index, device);
}
struct Memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
int nvmlDeviceGetMemoryInfo_v2(Device* d, Memory* out) {
  if (out->version != (sizeof(Memory) | 2U << 24U)) return 25;  // argument version mismatch
  number(d, "memory.total", &out->total);
  number(d, "memory.reserved", &out->reserved);
  number(d, "memory.free", &out->free);
  return number(d, "memory.used", &out->used);
}
int nvmlDeviceGetFieldValues(Device* d, int count, Field* fields) {
  const std::string call = raw(std::to_string(d->number), "fields");
  if (!call.empty() && call[0] == '=') return std::atoi(call.c_str() + 1);
  for (int i = 0; i < count; ++i) fill(d, fields[i]);
  return kSuccess;
}
int nvmlDeviceGetCurrentClocksEventReasons(Device* d, unsigned long long* bits) {
  return number(d, "throttle", bits);
}
struct Margin {
  unsigned version;
  int celsius;
};
int nvmlDeviceGetMarginTemperature(Device* d, Margin* out) {
  if (out->version != (sizeof(Margin) | 1U << 24U)) return 25;
  std::string answer;
  const int code = text(std::to_string(d->number), "margin", answer);
  out->celsius = std::atoi(answer.c_str());
  return code;
}
int nvmlDeviceGetEncoderUtilization(Device* d, unsigned* percent, unsigned* period) {
  *period = 167000;
  return number(d, "encoder", percent);
}
int nvmlDeviceGetEncoderStats(Device* d, unsigned* sessions, unsigned* fps,
                              unsigned* microseconds) {
  if (const int code = number(d, "encoder_sessions", sessions); code != kSuccess) return code;
  number(d, "encoder_fps", fps);
  return number(d, "encoder_latency", microseconds);
}
struct CaptureStats {
  unsigned sessions, fps, microseconds;
};
int nvmlDeviceGetFBCStats(Device* d, CaptureStats* out) {
  if (const int code = number(d, "capture_sessions", &out->sessions); code != kSuccess) return code;
  number(d, "capture_fps", &out->fps);
  return number(d, "capture_latency", &out->microseconds);
}
struct ConfidentialComputing {
  unsigned environment, feature, tools;
};
int nvmlSystemGetConfComputeState(ConfidentialComputing* out) {
  static Device all{};
  return number(&all, "confidential", &out->feature);
}
int nvmlDeviceGetCurrPcieLinkWidth(Device* d, unsigned* out) {
  return number(d, "width", out);
}
int nvmlDeviceGetMaxPcieLinkWidth(Device* d, unsigned* out) {
  return number(d, "max_width", out);
}
int nvmlDeviceGetNvLinkErrorCounter(Device* d, unsigned link, int counter,
                                    unsigned long long* out) {
  return number(d, "link_errors." + std::to_string(link) + "." + std::to_string(counter), out);
}
// As the documentation has it, of a place that the GPU does not count errors of: not supported.
int nvmlDeviceGetMemoryErrorCounter(Device* d, int type, int counter, int place,
                                    unsigned long long* out) {
  if (type < 0 || type > 1 || counter < 0 || counter > 1 || place < 0 || place > 7) return 2;
  return number(
      d,
      "ecc." + std::to_string(type) + "." + std::to_string(counter) + "." + std::to_string(place),
      out);
}
struct SramStatus {
  unsigned version;
  unsigned long long aggregate_parity, aggregate_sec_ded, aggregate_corrected;
  unsigned long long volatile_parity, volatile_sec_ded, volatile_corrected;
  unsigned long long l2, sm, pcie, mcu, other;
  unsigned threshold_exceeded;
};
int nvmlDeviceGetSramEccErrorStatus(Device* d, SramStatus* out) {
  if (out->version != (sizeof(SramStatus) | 1U << 24U)) return 25;
  return number(d, "sram_threshold", &out->threshold_exceeded);
}
int nvmlDeviceGetMigMode(Device* d, unsigned* current, unsigned* pending) {
  std::string answer;
  const int code = text(std::to_string(d->number), "mig", answer);
  if (code != kSuccess) return code;
  *current = static_cast<unsigned>(std::atoi(answer.c_str()));
  *pending = static_cast<unsigned>(std::atoi(answer.substr(answer.find(':') + 1).c_str()));
  return kSuccess;
}
// Of a GPU without MIG: none, and success.
int nvmlDeviceGetMaxMigDeviceCount(Device* d, unsigned* count) {
  *count = 0;
  const int code = number(d, "mig.most", count);
  return code == kNotSupported ? kSuccess : code;
}
// At an index without a MIG device: not found.
int nvmlDeviceGetMigDeviceHandleByIndex(Device* d, unsigned index, Device** out) {
  int number_of = 0;
  const int code = number(d, "mig." + std::to_string(index), &number_of);
  if (code == kSuccess) *out = &device_of(number_of);
  return code == kNotSupported ? kNotFound : code;
}
int nvmlDeviceGetGpuInstanceId(Device* d, unsigned* id) {
  return number(d, "gi", id);
}
int nvmlDeviceGetComputeInstanceId(Device* d, unsigned* id) {
  return number(d, "ci", id);
}
struct Attributes {
  unsigned multiprocessors, copy, decoder, encoder, jpeg, ofa, gpu_slices, compute_slices;
  unsigned long long memory_mb;
};
int nvmlDeviceGetAttributes_v2(Device* d, Attributes* out) {
  return number(d, "multiprocessors", &out->multiprocessors);
}
int nvmlDeviceGetNvLinkState(Device* d, unsigned link, unsigned* out) {
  return number(d, "link." + std::to_string(link), out);
}
int nvmlDeviceGetComputeRunningProcesses_v3(Device* d, unsigned* count, Process* out) {
  return processes(d, "processes", count, out);
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(Device* d, unsigned* count, Process* out) {
  return processes(d, "graphics", count, out);
}
int nvmlDeviceGetProcessUtilization(Device* d, Work* out, unsigned* count,
                                    unsigned long long since_us) {
  return work(d, out, count, since_us);
}
struct Fabric {
  unsigned version;
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health;
};
int nvmlDeviceGetGpuFabricInfoV(Device* d, Fabric* out) {
  if (out->version != 0x02000024U) return 25;
  return number(d, "fabric", &out->state);
}

int nvmlEventSetCreate(void** set) {
  static int one = 0;
  *set = &one;
  return kSuccess;
}
int nvmlDeviceGetSupportedEventTypes(Device* d, unsigned long long* types) {
  *types = 0x1F;
  return raw(std::to_string(d->number), "events") == "none" ? kNotSupported : kSuccess;
}
int nvmlDeviceRegisterEvents(Device*, unsigned long long, void*) {
  return kSuccess;
}
struct Event {
  Device* device;
  unsigned long long type, data;
  unsigned instance, compute;
};
int nvmlEventSetWait_v2(void*, Event* out, unsigned) {
  static auto* told = new std::set<std::string>;
  for (const auto& [key, answer] : script().answers) {
    if (key.size() < 4 || key.substr(key.find(' ')) != " xid") continue;
    if (!told->insert(key + answer).second) continue;
    *out = {&device_of(std::atoi(key.c_str())), 0x8, std::strtoull(answer.c_str(), nullptr, 10),
            ~0U, ~0U};
    return kSuccess;
  }
  return kTimeout;
}

struct GpmSupport {
  unsigned version, supported;
};
struct GpmMetric {
  unsigned id;
  int code;
  double value;
  const char* names[3];
};
struct GpmMetrics {
  unsigned version, count;
  Device** from;
  Device** to;
  GpmMetric metrics[333];
};
int nvmlGpmQueryDeviceSupport(Device* d, GpmSupport* out) {
  return number(d, "gpm", &out->supported);
}
int nvmlGpmSampleAlloc(Device*** sample) {
  *sample = new Device*;
  return kSuccess;
}
int nvmlGpmSampleGet(Device* d, Device** sample) {
  *sample = d;
  return kSuccess;
}
int nvmlGpmMetricsGet(GpmMetrics* out) {
  if (out->version != 1 || *out->from != *out->to || out->from == out->to) return 2;
  for (unsigned i = 0; i < out->count; ++i) {
    std::string answer;
    GpmMetric& metric = out->metrics[i];
    metric.code =
        text(std::to_string((*out->to)->number), "gpm." + std::to_string(metric.id), answer);
    metric.value = std::strtod(answer.c_str(), nullptr);
  }
  return kSuccess;
}
#endif

}  // extern "C"
