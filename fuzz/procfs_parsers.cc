// Parsers that remember a layout get the text twice, with a cut one between, so that re-learning is
// fuzzed too.
#include "procfs_parsers.h"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "procfs/cpu_list.h"
#include "procfs/cpu_mask.h"
#include "procfs/cpu_set.h"
#include "procfs/cpu_table.h"
#include "procfs/cpuinfo.h"
#include "procfs/diskstats.h"
#include "procfs/interrupts.h"
#include "procfs/kernel_parameters.h"
#include "procfs/keyed_layout.h"
#include "procfs/kmsg.h"
#include "procfs/net_dev.h"
#include "procfs/paired_layout.h"
#include "procfs/pmu_text.h"
#include "procfs/pressure.h"
#include "procfs/processor.h"
#include "procfs/stat.h"

namespace reveal::fuzz {
namespace {

using namespace procfs;

// What holds for any text; a broken one ends the program, which is how a fuzzer learns of it.
void require(bool holds) {
  if (!holds) std::abort();
}

void fuzz_stat(std::string_view text) {
  ProcStat stat;
  parse_stat(text, stat);
  require(stat.cores.size() <= text.size());
}

void fuzz_cpu_table(std::string_view text) {
  CpuTableReader reader;
  reader.start(text);
  for (CpuTableRow row; reader.next(row);) {
    require(row.counts.size() <= reader.cpus().size());
    if (is_device_row(row.name)) classify_irq(row.description);
    std::string group;
    queue_group_of(row.description, group);
    require(group.size() <= row.description.size());
  }
}

template <typename Layout>
void fuzz_layout(std::string_view text, std::vector<std::string_view> keys) {
  Layout layout(std::move(keys));
  std::vector<Value> first(layout.size());
  std::vector<Value> again(layout.size());
  layout.read(text, first);
  layout.read(text.substr(0, text.size() / 2), again);
  layout.read(text, again);
  require(first == again);
}

void fuzz_keyed(std::string_view text) {
  fuzz_layout<KeyedLayout>(text, {"MemTotal", "Dirty", "Active(anon)", "pgfault", "oom_kill"});
}

void fuzz_paired(std::string_view text) {
  fuzz_layout<PairedLayout>(text, {"Tcp RetransSegs", "Udp InErrors", "TcpExt TCPTimeouts"});
}

void fuzz_diskstats(std::string_view text) {
  std::vector<DiskStats> disks;
  parse_diskstats(text, disks);
  for (const auto& disk : disks) require(!disk.name.empty());
}

void fuzz_net_dev(std::string_view text) {
  NetDevReader reader;
  std::vector<InterfaceStats> interfaces;
  reader.read(text, interfaces);
  reader.read(text.substr(0, text.size() / 2), interfaces);
  for (const auto& interface : interfaces) require(!interface.name.empty());
}

void fuzz_pressure(std::string_view text) {
  parse_pressure(text);
}

void fuzz_cpu_list(std::string_view text) {
  for (const auto cpu : parse_cpu_list(text)) require(cpu <= kMaxListedCpu);
  CpuSet set;
  if (!set.assign(text)) return require(set.count() == 0);
  std::string written;
  set.append_to(written);
  CpuSet again;
  require(again.assign(written) && again.count() == set.count());
}

void fuzz_cpuinfo(std::string_view text) {
  CpuInfo info;
  parse_cpuinfo(text, info);
  require(info.model.size() <= 8 * text.size() + 16);
}

void fuzz_kernel_parameters(std::string_view text) {
  std::string told;
  tell_kernel_parameters(text, told);
  require(told.find('\n') == std::string::npos);
}

// Each line stands for a record, and for a message too.
void fuzz_kmsg(std::string_view text) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    match_trouble(line);
    const auto record = parse_kmsg(line);
    if (!record) continue;
    require(record->message.size() < line.size());
    const auto trouble = match_trouble(record->message);
    require(!trouble || trouble->device.size() < record->message.size());
  }
}

void fuzz_cpu_mask(std::string_view text) {
  CpuMask mask;
  const bool sound = mask.merge(text);
  require(sound || mask.count() == 0);
  require(mask.count() <= 4 * text.size());
}

void fuzz_pmu(std::string_view text) {
  if (const auto field = parse_pmu_field(text)) {
    require(field->word < kPmuWords && !field->bits.empty());
    for (const auto [low, high] : field->bits) require(low <= high && high < 64);
  }
  for (const auto& term : parse_event_terms(text)) require(term.has_value || !term.value);
  if (const auto scale = parse_event_scale(text)) require(*scale > 0.0);
  if (const auto processor = parse_processor(text)) require(!processor->vendor.empty());
}

constexpr ProcfsParser kParsers[] = {
    {"proc/stat", fuzz_stat},
    {"proc/interrupts", fuzz_cpu_table},
    {"proc/meminfo", fuzz_keyed},
    {"proc/net/snmp", fuzz_paired},
    {"proc/diskstats", fuzz_diskstats},
    {"proc/net/dev", fuzz_net_dev},
    {"proc/pressure/cpu", fuzz_pressure},
    {"sys/devices/system/cpu/online", fuzz_cpu_list},
    {"dev/kmsg", fuzz_kmsg},
    {"sys/class/net/eth0/queues/rx-0/rps_cpus", fuzz_cpu_mask},
    {"sys/bus/event_source/devices/msr/format/event", fuzz_pmu},
    {"proc/cpuinfo", fuzz_cpuinfo},
    {"proc/cmdline", fuzz_kernel_parameters},
};

}  // namespace

std::span<const ProcfsParser> procfs_parsers() {
  return kParsers;
}

const ProcfsParser& procfs_parser_of(std::uint8_t first_byte) {
  return kParsers[static_cast<std::uint8_t>(first_byte - '0') % std::size(kParsers)];
}

}  // namespace reveal::fuzz
