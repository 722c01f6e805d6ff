// Feeds any text to every parser of kernel files; the first byte chooses the parser. Parsers that
// remember a layout get the text twice, with a cut one between, so that re-learning is fuzzed too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "procfs/cpu_list.h"
#include "procfs/cpu_table.h"
#include "procfs/diskstats.h"
#include "procfs/interrupts.h"
#include "procfs/keyed_layout.h"
#include "procfs/net_dev.h"
#include "procfs/paired_layout.h"
#include "procfs/pressure.h"
#include "procfs/stat.h"

namespace {

using namespace reveal::procfs;

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
}

constexpr void (*kParsers[])(std::string_view) = {
    fuzz_stat,      fuzz_cpu_table, fuzz_keyed,    fuzz_paired,
    fuzz_diskstats, fuzz_net_dev,   fuzz_pressure, fuzz_cpu_list,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  kParsers[bytes[0] % std::size(kParsers)](text);
  return 0;
}
