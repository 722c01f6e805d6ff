// Which subsystem a metric of another program is of, by the words of its name.
#include <algorithm>
#include <cstdint>
#include <string>

#include "exchange/guess.h"
#include "exchange/name_words.h"

namespace reveal::exchange {
namespace {

using model::Subsystem;

enum class Match : std::uint8_t {
  kWords,   // these words, wherever they are
  kBegin,   // as kWords, but the last of them may go on: "nvme" is in nvme0n1
  kNumber,  // this word, but a number may go on: "eth" is in eth0, and "enp" in enp3s0
  kFirst,   // the metric begins with these words
  kAll,     // the metric is nothing else
};

struct Word {
  std::string_view text;
  Match match;
  Subsystem subsystem;
};
// In the order of precedence: "gpu_memory_used" is of the GPU. What none of them tells is of no
// subsystem that is known, so a word is here only if it is of one in each program that has it.
constexpr Word kWords[] = {
    {"gpu", Match::kBegin, Subsystem::kGpu},
    {"nvml", Match::kWords, Subsystem::kGpu},
    {"dcgm", Match::kWords, Subsystem::kGpu},
    {"nvidia", Match::kWords, Subsystem::kGpu},
    {"amdgpu", Match::kWords, Subsystem::kGpu},
    {"rocm", Match::kWords, Subsystem::kGpu},
    {"nvlink", Match::kWords, Subsystem::kGpu},
    {"cuda", Match::kWords, Subsystem::kGpu},
    {"pgpgin", Match::kWords, Subsystem::kStorage},  // of /proc/vmstat: bytes read from disks
    {"pgpgout", Match::kWords, Subsystem::kStorage},
    // Not whatever begins with "net", as "netted_orders" does; likewise "mem", "swap".
    {"net", Match::kNumber, Subsystem::kNetwork},
    {"network", Match::kNumber, Subsystem::kNetwork},
    {"networks", Match::kWords, Subsystem::kNetwork},
    {"networking", Match::kWords, Subsystem::kNetwork},
    {"netdev", Match::kNumber, Subsystem::kNetwork},
    {"netif", Match::kNumber, Subsystem::kNetwork},
    {"netio", Match::kWords, Subsystem::kNetwork},
    {"netstat", Match::kWords, Subsystem::kNetwork},
    {"netfilter", Match::kWords, Subsystem::kNetwork},
    {"netlink", Match::kWords, Subsystem::kNetwork},
    {"netns", Match::kWords, Subsystem::kNetwork},
    {"netin", Match::kWords, Subsystem::kNetwork},  // Proxmox
    {"netout", Match::kWords, Subsystem::kNetwork},
    {"netrx", Match::kWords, Subsystem::kNetwork},
    {"nettx", Match::kWords, Subsystem::kNetwork},
    {"tcp", Match::kBegin, Subsystem::kNetwork},
    {"udp", Match::kBegin, Subsystem::kNetwork},
    {"ib", Match::kWords, Subsystem::kNetwork},
    {"infiniband", Match::kWords, Subsystem::kNetwork},
    {"rdma", Match::kWords, Subsystem::kNetwork},
    {"roce", Match::kWords, Subsystem::kNetwork},
    {"eth", Match::kNumber, Subsystem::kNetwork},
    {"bond", Match::kNumber, Subsystem::kNetwork},
    {"ens", Match::kNumber, Subsystem::kNetwork},
    {"enp", Match::kNumber, Subsystem::kNetwork},
    {"nic", Match::kWords, Subsystem::kNetwork},
    {"rx", Match::kWords, Subsystem::kNetwork},
    {"tx", Match::kWords, Subsystem::kNetwork},
    {"packets", Match::kWords, Subsystem::kNetwork},
    {"socket", Match::kWords, Subsystem::kNetwork},
    {"sockets", Match::kWords, Subsystem::kNetwork},
    {"sockstat", Match::kWords, Subsystem::kNetwork},
    {"sock", Match::kWords, Subsystem::kNetwork},  // collectl
    {"softnet", Match::kWords, Subsystem::kNetwork},
    {"conntrack", Match::kWords, Subsystem::kNetwork},
    {"iface", Match::kWords, Subsystem::kNetwork},
    {"interface", Match::kWords, Subsystem::kNetwork},
    {"disk", Match::kBegin, Subsystem::kStorage},
    {"dsk", Match::kBegin, Subsystem::kStorage},  // collectl, atop
    {"nvme", Match::kBegin, Subsystem::kStorage},
    {"io", Match::kWords, Subsystem::kStorage},
    {"blkio", Match::kWords, Subsystem::kStorage},
    {"fs", Match::kWords, Subsystem::kStorage},  // cAdvisor
    {"filesystem", Match::kWords, Subsystem::kStorage},
    {"inode", Match::kBegin, Subsystem::kStorage},
    {"nfs", Match::kBegin, Subsystem::kStorage},
    {"lustre", Match::kWords, Subsystem::kStorage},
    {"iops", Match::kWords, Subsystem::kStorage},
    {"sectors", Match::kWords, Subsystem::kStorage},
    {"xfs", Match::kBegin, Subsystem::kStorage},
    {"zfs", Match::kBegin, Subsystem::kStorage},
    {"btrfs", Match::kBegin, Subsystem::kStorage},
    {"raid", Match::kWords, Subsystem::kStorage},
    {"storage", Match::kWords, Subsystem::kStorage},
    {"bread", Match::kFirst, Subsystem::kStorage},  // sar -b
    {"bwrtn", Match::kFirst, Subsystem::kStorage},
    {"rtps", Match::kAll, Subsystem::kStorage},
    {"wtps", Match::kAll, Subsystem::kStorage},
    {"dev", Match::kWords,
     Subsystem::kStorage},  // an instance's key: a device that is no network's
    {"device", Match::kWords, Subsystem::kStorage},
    {"mem", Match::kNumber, Subsystem::kMemory},
    {"memory", Match::kNumber, Subsystem::kMemory},
    {"memavail", Match::kWords, Subsystem::kMemory},
    {"memavailable", Match::kWords, Subsystem::kMemory},
    {"membw", Match::kWords, Subsystem::kMemory},
    {"memcg", Match::kWords, Subsystem::kMemory},
    {"memfree", Match::kWords, Subsystem::kMemory},
    {"meminfo", Match::kWords, Subsystem::kMemory},
    {"memstat", Match::kWords, Subsystem::kMemory},
    {"memstats", Match::kWords, Subsystem::kMemory},  // go_memstats_alloc_bytes
    {"memtotal", Match::kWords, Subsystem::kMemory},
    {"memusage", Match::kWords, Subsystem::kMemory},
    {"memused", Match::kWords, Subsystem::kMemory},  // sar -r
    {"memutil", Match::kWords, Subsystem::kMemory},
    {"shmem", Match::kWords, Subsystem::kMemory},
    {"numa", Match::kBegin, Subsystem::kMemory},
    {"swap", Match::kNumber, Subsystem::kMemory},
    {"swapcached", Match::kWords, Subsystem::kMemory},
    {"swapfree", Match::kWords, Subsystem::kMemory},
    {"swapin", Match::kWords, Subsystem::kMemory},
    {"swapins", Match::kWords, Subsystem::kMemory},
    {"swapout", Match::kWords, Subsystem::kMemory},
    {"swapouts", Match::kWords, Subsystem::kMemory},
    {"swappiness", Match::kWords, Subsystem::kMemory},
    {"swaptotal", Match::kWords, Subsystem::kMemory},
    {"swapused", Match::kWords, Subsystem::kMemory},
    {"ram", Match::kWords, Subsystem::kMemory},
    {"dram", Match::kWords, Subsystem::kMemory},
    {"edac", Match::kWords, Subsystem::kMemory},
    {"vmstat", Match::kWords, Subsystem::kMemory},
    {"kbmem", Match::kBegin, Subsystem::kMemory},  // sar -r
    {"kbavail", Match::kWords, Subsystem::kMemory},
    {"kbbuffers", Match::kWords, Subsystem::kMemory},
    {"kbcached", Match::kWords, Subsystem::kMemory},
    {"kbcommit", Match::kWords, Subsystem::kMemory},
    {"kbactive", Match::kWords, Subsystem::kMemory},
    {"kbinact", Match::kWords, Subsystem::kMemory},
    {"kbdirty", Match::kWords, Subsystem::kMemory},
    {"kbswp", Match::kBegin, Subsystem::kMemory},
    {"swpused", Match::kWords, Subsystem::kMemory},
    {"page fault", Match::kBegin, Subsystem::kMemory},
    {"pgfault", Match::kWords, Subsystem::kMemory},
    {"pgmajfault", Match::kWords, Subsystem::kMemory},
    {"majflt", Match::kWords, Subsystem::kMemory},
    {"minflt", Match::kWords, Subsystem::kMemory},
    {"pgscan", Match::kBegin, Subsystem::kMemory},
    {"pgsteal", Match::kBegin, Subsystem::kMemory},
    {"pgfree", Match::kWords, Subsystem::kMemory},
    {"pswpin", Match::kWords, Subsystem::kMemory},
    {"pswpout", Match::kWords, Subsystem::kMemory},
    {"hugepages", Match::kWords, Subsystem::kMemory},
    {"cpu", Match::kBegin, Subsystem::kCpu},
    {"ncpu", Match::kWords, Subsystem::kCpu},
    {"core", Match::kWords, Subsystem::kCpu},  // of perf stat
    {"cores", Match::kWords, Subsystem::kCpu},
    {"die", Match::kWords, Subsystem::kCpu},  // likewise
    {"coretemp", Match::kWords, Subsystem::kCpu},
    {"rapl", Match::kWords, Subsystem::kCpu},
    {"perf", Match::kFirst, Subsystem::kCpu},  // the events of perf stat, but those told above
    {"load", Match::kAll, Subsystem::kCpu},
    {"load1", Match::kWords, Subsystem::kCpu},
    {"load5", Match::kWords, Subsystem::kCpu},
    {"load15", Match::kWords, Subsystem::kCpu},
    {"loadavg", Match::kWords, Subsystem::kCpu},
    {"load average", Match::kWords, Subsystem::kCpu},
    {"load shortterm", Match::kWords, Subsystem::kCpu},  // collectd
    {"load midterm", Match::kWords, Subsystem::kCpu},
    {"load longterm", Match::kWords, Subsystem::kCpu},
    {"kernel all load", Match::kWords, Subsystem::kCpu},     // PCP
    {"kernel all pswitch", Match::kWords, Subsystem::kCpu},  // its context switches
    {"ldavg", Match::kWords, Subsystem::kCpu},               // sar -q
    {"runq", Match::kWords, Subsystem::kCpu},
    {"plist", Match::kWords, Subsystem::kCpu},
    {"runnable", Match::kWords, Subsystem::kCpu},
    {"procs running", Match::kWords, Subsystem::kCpu},  // /proc/stat
    {"procs blocked", Match::kWords, Subsystem::kCpu},
    {"processes running", Match::kWords, Subsystem::kCpu},
    {"forks", Match::kWords, Subsystem::kCpu},
    {"context switch", Match::kBegin, Subsystem::kCpu},
    {"ctxt", Match::kWords, Subsystem::kCpu},
    {"cswch", Match::kWords, Subsystem::kCpu},
    {"interrupt", Match::kBegin, Subsystem::kCpu},
    {"intr", Match::kWords, Subsystem::kCpu},
    {"irq", Match::kWords, Subsystem::kCpu},
    {"softirq", Match::kBegin, Subsystem::kCpu},
    {"sched", Match::kWords, Subsystem::kCpu},
    {"schedstat", Match::kWords, Subsystem::kCpu},
    {"iowait", Match::kWords, Subsystem::kCpu},
    {"user", Match::kAll, Subsystem::kCpu},  // sar -u, dstat, top
    {"usr", Match::kAll, Subsystem::kCpu},
    {"system", Match::kAll, Subsystem::kCpu},
    {"sys", Match::kAll, Subsystem::kCpu},
    {"nice", Match::kAll, Subsystem::kCpu},
    {"gnice", Match::kAll, Subsystem::kCpu},
    {"idle", Match::kAll, Subsystem::kCpu},
    {"idl", Match::kAll, Subsystem::kCpu},
    {"wai", Match::kAll, Subsystem::kCpu},
    {"steal", Match::kAll, Subsystem::kCpu},
    {"stl", Match::kAll, Subsystem::kCpu},
    {"soft", Match::kAll, Subsystem::kCpu},
    {"guest", Match::kAll, Subsystem::kCpu},
    {"usage user", Match::kAll, Subsystem::kCpu},
    {"usage system", Match::kAll, Subsystem::kCpu},
    {"usage idle", Match::kAll, Subsystem::kCpu},
};

// Returns the keys of "cpu=0,mode=idle" as one text, and the names of devices.
std::string keys_of(std::string_view instance) {
  std::string out;
  while (!instance.empty()) {
    const auto part = instance.substr(0, instance.find(','));
    const auto key = part.substr(0, part.find('='));
    // perf's socket is one of the board, with a processor in it.
    out.append(is_device_key(key) ? part : key == "socket" ? "cpu" : key) += ' ';
    instance.remove_prefix(std::min(part.size() + 1, instance.size()));
  }
  return out;
}

bool has_begin(const std::string& words, const std::string& text) {
  return words.find(" " + text) != std::string::npos;
}

bool has_number(const std::string& words, const std::string& text) {
  const std::string begin = " " + text;
  for (auto at = words.find(begin); at != std::string::npos; at = words.find(begin, at + 1)) {
    const char next = words[at + begin.size()];
    if (next == ' ' || (next >= '0' && next <= '9')) return true;
  }
  return false;
}

// Returns whether a row tells it of these words of the metric and of the instance.
bool tells(const Word& row, const std::string& metric, const std::string& keys) {
  const std::string text(row.text);
  switch (row.match) {
    case Match::kWords:
      return has_words(metric, text) || has_words(keys, text);
    case Match::kBegin:
      return has_begin(metric, text) || has_begin(keys, text);
    case Match::kNumber:
      return has_number(metric, text) || has_number(keys, text);
    case Match::kFirst:
      return metric.starts_with(" " + text + " ");
    case Match::kAll:
      return metric == " " + text + " ";
  }
  return false;
}

}  // namespace

// Capitals are looked at last: "IOWait" is one word to those who know it.
Subsystem guess_subsystem(std::string_view metric, std::string_view instance) {
  const auto keys = spaced_words(keys_of(instance));
  for (const auto& words : {spaced_words(metric), spaced_words(parted_by_case(metric))}) {
    for (const auto& row : kWords) {
      if (tells(row, words, keys)) return row.subsystem;
    }
  }
  return Subsystem::kUnknown;
}

}  // namespace reveal::exchange
