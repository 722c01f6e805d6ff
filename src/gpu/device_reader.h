// Reads one GPU through the library, in the reader process: asks for what is due and writes the
// answers where the recorder looks. Values that the chip or the driver does not have are asked for
// again only once a minute. An impossible number is a missing one, with that as its reason.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/nvml_library.h"
#include "gpu/shared_readings.h"

namespace reveal::gpu {

class DeviceReader {
 public:
  // REQUIRES: both outlive this.
  DeviceReader(const NvmlApi& api, NvmlDevice device, unsigned index, SharedDevice& shared);

  // Writes who the GPU is, and where among `others`.
  void identify(std::span<const DeviceReader> others);

  // Reads all signals of the cadences up to `slowest`. Returns whether the GPU is there.
  bool read(Cadence slowest);

  // Counts an event that the library told of, or that the GPU was lost.
  void count(EventType type);

  NvmlDevice device() const { return device_; }
  unsigned index() const { return index_; }
  const std::string& bus_id() const { return bus_id_; }
  // Returns whether GPM works but has not given its first numbers, which needs two samples.
  bool awaits_gpm() const { return gpm_ready_ && !gpm_told_; }
  // Says which events the library will tell of: bits of EventType.
  void set_known_events(unsigned bits) { known_events_ = bits; }

 private:
  struct Answer {
    int result = kNvmlFunctionNotFound;
    std::uint64_t bits = 0;  // of a double where the signal is real
  };
  // Calls that answer several signals are made once a reading.
  struct Answers {
    std::optional<int> utilization_result;
    NvmlUtilization utilization{};
    std::optional<int> memory_result;
    NvmlMemoryV2 memory{};
    std::optional<int> throttle_result;
    unsigned long long throttle = 0;
    std::optional<int> encoding_result;
    NvmlCaptureStats encoding{};
    std::optional<int> capture_result;
    NvmlCaptureStats capture{};
    std::optional<int> process_result;
    unsigned process_count = 0;
    std::vector<NvmlProcess> processes;
    std::optional<int> mig_result;
    std::array<unsigned, 2> mig_modes{};  // current, pending
  };

  Answer ask(const Signal& signal);
  Answer ask_clock(const Signal& signal);
  Answer ask_load(const Signal& signal);
  Answer ask_heat(const Signal& signal);
  Answer ask_link(const Signal& signal);
  Answer ask_mode(const Signal& signal);
  Answer utilization(unsigned which);
  Answer memory(unsigned which);
  Answer throttle(unsigned bit);
  Answer encoding(unsigned part);
  Answer capture(unsigned part);
  Answer temperature();
  Answer margin();
  Answer fan();
  Answer fabric();
  Answer confidential_computing();
  Answer mig_mode(unsigned which);
  Answer memory_errors(unsigned which);
  Answer sram_threshold();
  Answer processes(unsigned which);
  Answer event(unsigned type) const;

  void read_fields(Cadence slowest);
  void read_links();
  void read_link(unsigned link);
  void read_link_fields(unsigned link);
  void write_link(unsigned link, std::size_t row, Answer answer);
  void read_instances();
  void read_instance(NvmlDevice instance, SharedInstance& at);
  SharedInstance* place_of(NvmlDevice instance);
  bool is_told_by_gpm(const Signal& signal) const;
  bool take_gpm_sample();
  void read_gpm(Cadence slowest);
  void read_gpm(Cadence cadence, NvmlGpmSample from);
  void read_processes();
  void list_processes();
  void read_use();
  void read_shares(std::size_t place);
  bool ask_shares(std::vector<NvmlProcessUtilization>& samples, int& result);
  std::vector<SharedProcessUse> uses() const;
  void write(const Signal& signal, SharedReading& at, Answer answer);
  bool is_due(std::size_t place, Cadence slowest) const;
  void settle(std::size_t place, int result);
  template <typename Function, typename... Arguments>
  Answer number(Function function, Arguments... arguments);

  const NvmlApi* api_;
  NvmlDevice device_;
  unsigned index_;
  SharedDevice* shared_;
  std::string bus_id_;
  std::int64_t now_ns_ = 0;
  bool lost_ = false;
  unsigned known_events_ = 0;
  std::array<std::uint64_t, 3> events_{};              // by EventType
  std::array<std::int64_t, kGpuSignals> ask_again_{};  // by place; 0: with every turn
  Answers answers_;
  std::vector<unsigned> with_context_;    // pids, sorted
  std::vector<SharedProcessUse> shares_;  // by pid
  std::int64_t shares_ns_ = 0;            // of the latest question; 0: there is no answer
  std::int64_t shares_due_ns_ = 0;
  unsigned long long utilization_seen_us_ = 0;  // by the driver's clock; 0: never asked
  // By link and row, as ask_again_.
  std::array<std::array<std::int64_t, kLinkSignals>, kMaxLinks> ask_link_again_{};
  bool has_links_ = false;  // an NVLink is up
  bool gpm_asked_ = false;
  bool gpm_ready_ = false;
  bool gpm_told_ = false;
  // GPM's newest sample, the one before, and the one that the next slower numbers begin with.
  // The last two may be the same.
  std::array<NvmlGpmSample, 3> samples_{};
  std::size_t newest_ = 0;
  std::size_t before_ = 1;
  std::size_t slower_from_ = 1;
  bool has_slower_from_ = false;
  std::int64_t sampled_ns_ = 0;
};

// Returns the bus id as sysfs writes it: "0000:17:00.0".
std::string bus_id_of(const NvmlPciInfo& pci);

// Returns the CLOCK_MONOTONIC.
std::int64_t monotonic_ns();

}  // namespace reveal::gpu
