// A made fleet for tests and benchmarks: hosts that send messages as agents do, with levels that a
// function makes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/metric.h"
#include "wire/dictionary.h"
#include "wire/event.h"
#include "wire/facts.h"
#include "wire/levels.h"
#include "wire/subject.h"

namespace reveal::peers {

inline constexpr std::int64_t kMadeBegin_ns = 1'700'000'000'000'000'000;
inline constexpr std::int64_t kMadeSecond_ns = 1'000'000'000;

// Returns the id of a host: letters that count, 26 of them.
inline std::string made_id(std::size_t number) {
  std::string out(26, 'a');
  for (std::size_t at = out.size(); number > 0; number /= 26) {
    out[--at] = static_cast<char>('a' + number % 26);
  }
  return out;
}

inline wire::Quantity made_quantity(std::string metric, std::string label, std::string unit,
                                    model::Kind kind, model::Subsystem subsystem, float floor,
                                    float least_rise) {
  wire::Quantity out;
  out.metric = std::move(metric);
  out.label = std::move(label);
  out.unit = std::move(unit);
  out.kind = kind;
  out.subsystem = subsystem;
  out.floor = wire::floor_of(floor);
  out.least_rise = least_rise;
  return out;
}

// The quantities of tests.
enum MadeQuantity : std::size_t { kBusy, kRetransmits, kCpuPressure, kReads, kMadeQuantities };

inline wire::Dictionary made_dictionary() {
  wire::Dictionary out;
  out.quantities = {
      made_quantity("cpu_busy_ratio", "CPU busy share", "ratio", model::Kind::kGauge,
                    model::Subsystem::kCpu, 0.0025F, 0),
      made_quantity("network_tcp_retransmit_ratio", "Retransmitted segments", "ratio",
                    model::Kind::kGauge, model::Subsystem::kNetwork, 0.0005F, 0.01F),
      made_quantity("cpu_pressure_some_seconds_total", "Tasks waiting for a CPU", "ratio",
                    model::Kind::kCounter, model::Subsystem::kCpu, 0.0025F, 0.1F),
      made_quantity("storage_read_bytes_total", "Disk reads", "bytes/s", model::Kind::kCounter,
                    model::Subsystem::kStorage, 5000, 0)};
  return out;
}

// The usual levels of these: of a job that all hosts do, each with a small course of its own.
inline float usual_level(std::size_t host, std::size_t quantity, std::size_t second) {
  const auto phase = static_cast<double>(second) / 7 + static_cast<double>(host);
  const double moved = 1 + 0.01 * std::sin(phase);
  switch (quantity) {
    case kBusy:
      return static_cast<float>(0.8 * moved);
    case kRetransmits:
      return 0;
    case kCpuPressure:
      return static_cast<float>(0.02 * moved);
    default:
      return static_cast<float>(5e6 * moved);
  }
}

class MadeFleet {
 public:
  // Takes a message, with the time at which a broker would.
  using Sink = std::function<void(const std::string& subject, const wire::Bytes& payload,
                                  std::int64_t stored_ns)>;
  // Returns the level of a host's quantity in a second, counted from the begin.
  using Level = std::function<float(std::size_t host, std::size_t quantity, std::size_t second)>;

  // `begin_ns` is when second 0 begins.
  MadeFleet(std::size_t hosts, const wire::Dictionary& dictionary, Sink sink,
            std::int64_t begin_ns = kMadeBegin_ns)
      : sink_(std::move(sink)), begin_ns_(begin_ns) {
    for (std::size_t i = 0; i < hosts; ++i) {
      hosts_.push_back({made_id(i), "n" + std::string(i < 10 ? "0" : "") + std::to_string(i),
                        wire::run_of(made_id(i), begin_ns_), wire::LevelsEncoder(i)});
      hosts_.back().take(dictionary);
    }
  }

  // The host's quantities are others from now on, and it says so.
  void set_dictionary(std::size_t host, const wire::Dictionary& dictionary) {
    hosts_[host].take(dictionary);
    send_dictionary(host);
  }

  std::size_t hosts() const { return hosts_.size(); }
  const std::string& id(std::size_t host) const { return hosts_[host].id; }
  const std::string& name(std::size_t host) const { return hosts_[host].name; }
  wire::LevelsHead& more(std::size_t host) { return hosts_[host].more; }
  void set_run(std::size_t host, std::uint64_t run) { hosts_[host].run = run; }

  wire::Facts facts_of(std::size_t host) const {
    wire::Facts out;
    out.head = head_of(host, 0);
    out.host = hosts_[host].name;
    out.kernel = "6.1.0";
    out.machine = "x86_64";
    out.boot_id = hosts_[host].id;
    out.reveal_version = "0.1.0";
    out.start_wall_ns = begin_ns_;
    out.cpus_online = 48;
    out.groups = {"role=train"};
    return out;
  }
  void send_facts(std::size_t host, const wire::Facts& facts) {
    wire::Bytes out;
    if (wire::put_facts(out, facts)) send(host, wire::Type::kFacts, out, begin_ns_);
  }
  // Jobs as KIND/ID, with the second in which each began.
  using Jobs = std::vector<std::pair<std::string, std::int64_t>>;
  // Facts with jobs, told as a second begins.
  void send_jobs(std::size_t host, const Jobs& jobs, std::size_t second) {
    send_jobs(host, facts_of(host), jobs, second);
  }
  void send_jobs(std::size_t host, wire::Facts facts, const Jobs& jobs, std::size_t second) {
    facts.head.time_ns = time_of(second);
    for (const auto& [job, since_s] : jobs) {
      facts.groups.push_back("job=" + job);
      facts.facts.push_back({"job", job, std::to_string(begin_ns_ + since_s * kMadeSecond_ns)});
    }
    wire::Bytes out;
    if (wire::put_facts(out, facts)) send(host, wire::Type::kFacts, out, time_of(second));
  }
  void send_dictionary(std::size_t host) {
    wire::Bytes out;
    if (wire::put_dictionary(out, head_of(host, 0), hosts_[host].plain)) {
      send(host, wire::Type::kDictionary, out, begin_ns_);
    }
  }
  // Facts and dictionaries of all hosts.
  void introduce() {
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      send_facts(i, facts_of(i));
      send_dictionary(i);
    }
  }

  void send_event(std::size_t host, wire::Event event, std::int64_t stored_ns) {
    event.head = head_of(host, 0);
    wire::Bytes out;
    if (wire::put_event(out, event)) send(host, wire::Type::kEvent, out, stored_ns);
  }

  // The levels of one host, a little after the second, each at its own moment.
  void send_levels(std::size_t host, std::size_t second, const Level& level) {
    const auto head = levels_of(host, second, level);
    wire::Bytes out;
    hosts_[host].encoder.encode(head, codes_, out);
    send(host, wire::Type::kLevels, out, time_of(second + 1) + phase_of(host));
  }
  // The same from its recording, when the second is over for long.
  void send_late(std::size_t host, std::size_t second, const Level& level, std::int64_t stored_ns) {
    auto head = levels_of(host, second, level);
    head.late = true;
    wire::Bytes out;
    wire::LevelsEncoder().encode(head, codes_, out);
    sink_(wire::subject_of({"main", hosts_[host].id, wire::Type::kLevels, true}), out, stored_ns);
  }
  void send_second(std::size_t second, const Level& level) {
    for (std::size_t i = 0; i < hosts_.size(); ++i) send_levels(i, second, level);
  }

  // Returns when a second begins in a fleet that begins at kMadeBegin_ns, and when it ends.
  static std::int64_t begin_of(std::size_t second) {
    return kMadeBegin_ns + static_cast<std::int64_t>(second) * kMadeSecond_ns;
  }
  static std::int64_t end_of(std::size_t second) { return begin_of(second + 1); }

 private:
  struct One {
    std::string id;
    std::string name;
    std::uint64_t run = 0;
    wire::LevelsEncoder encoder;
    wire::LevelsHead more{.head = {.clock_error_us = 100}};  // besides levels
    wire::Bytes plain{};                                     // of its dictionary
    std::uint32_t number = 0;
    std::vector<std::uint16_t> floors{};

    void take(const wire::Dictionary& dictionary) {
      plain = *wire::plain_of(dictionary);
      number = wire::number_of(plain);
      floors.clear();
      for (const auto& one : dictionary.quantities) floors.push_back(one.floor);
    }
  };

  // Has the codes of that second in `codes_`.
  wire::LevelsHead levels_of(std::size_t host, std::size_t second, const Level& level) {
    auto& one = hosts_[host];
    codes_.resize(one.floors.size());
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      codes_[i] = wire::code_of(level(host, i, second), one.floors[i]);
    }
    auto head = one.more;
    const auto time_ns = head.head.time_ns;
    head.head = head_of(host, second);
    head.head.clock_error_us = one.more.head.clock_error_us;
    head.head.time_ns += time_ns;  // how far its clock is off
    head.sequence = second;
    head.dictionary = one.number;
    return head;
  }
  wire::Head head_of(std::size_t host, std::size_t second) const {
    return {.clock_error_us = 100, .run = hosts_[host].run, .time_ns = time_of(second)};
  }
  std::int64_t time_of(std::size_t second) const {
    return begin_ns_ + static_cast<std::int64_t>(second) * kMadeSecond_ns;
  }
  // All hosts have sent within the first third of the next second.
  std::int64_t phase_of(std::size_t host) const {
    return kMadeSecond_ns / 3 * static_cast<std::int64_t>(host) /
           static_cast<std::int64_t>(hosts_.size());
  }
  void send(std::size_t host, wire::Type type, const wire::Bytes& payload, std::int64_t stored_ns) {
    sink_(wire::subject_of({"main", hosts_[host].id, type}), payload, stored_ns);
  }

  Sink sink_;
  std::int64_t begin_ns_;
  std::vector<One> hosts_;
  std::vector<wire::Code> codes_;
};

}  // namespace reveal::peers
