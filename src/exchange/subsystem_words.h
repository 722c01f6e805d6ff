// The words by which the names of other programs' metrics tell a subsystem. A word is here only if
// it is of one subsystem in each program that has it.
//
// Words may begin longer ones (kBegin) only if no word of everyday language or of an application
// does: names of devices and kernel counters, whose forms are many (nvme0n1, pgscand, tcpext,
// cpuset). All others are whole words, their plurals rows of their own. What an application says in
// another sense as well counts only beside a word of the hardware (rx, tx, swap), with a number
// (eth0), in a phrase ("read sectors"), or as a key of the instance (device, core).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/metric.h"

namespace reveal::exchange {

// How a word must stand in a name. Most must be whole words, because a word of the hardware may
// begin one of an application: "interrupted_orders", "swapped_orders".
enum class Match : std::uint8_t {
  kWords,     // these words, wherever they are
  kBegin,     // as kWords, but the last of them may go on: "disk" is in diskio
  kNumber,    // this word, but a number may go on: "mem" is in mem0
  kNumbered,  // this word with a number: "eth" is in eth0, but "eth" alone is a currency
  kFirst,     // the metric begins with these words
  kAll,       // the metric is nothing else
};

struct SubsystemWord {
  std::string_view text;
  Match match;
  model::Subsystem subsystem;
  std::string_view beside = {};  // if any: one of these words must be in the metric as well
};

namespace subsystem_words {

using enum Match;
using enum model::Subsystem;

// "tx" alone is a transaction, and "rx" a prescription.
inline constexpr std::string_view kTraffic =
    "bytes octets bits packets pkts pkt pck frames dropped drops discards fifo multicast broadcast "
    "kb mb kbytes mbytes bps kbps mbps gbps pps";
// "swap" alone is a contract or an exchange.
inline constexpr std::string_view kSpace =
    "used free cached available usage util utilization percent bytes kb mb pages";

// Of metrics, in the order of precedence.
inline constexpr std::array kWordsOfMetrics{
    SubsystemWord{"gpu", kBegin, kGpu},
    SubsystemWord{"nvml", kWords, kGpu},
    SubsystemWord{"dcgm", kWords, kGpu},
    SubsystemWord{"nvidia", kWords, kGpu},
    SubsystemWord{"amdgpu", kWords, kGpu},
    SubsystemWord{"rocm", kWords, kGpu},
    SubsystemWord{"nvlink", kWords, kGpu},
    SubsystemWord{"cuda", kWords, kGpu},
    // /proc/vmstat counts what is read from disks.
    SubsystemWord{"pgpgin", kWords, kStorage},
    SubsystemWord{"pgpgout", kWords, kStorage},
    SubsystemWord{"net", kNumber, kNetwork},
    SubsystemWord{"network", kNumber, kNetwork},
    SubsystemWord{"networking", kWords, kNetwork},
    SubsystemWord{"netdev", kNumber, kNetwork},
    SubsystemWord{"netif", kNumber, kNetwork},
    SubsystemWord{"netio", kWords, kNetwork},
    SubsystemWord{"netstat", kWords, kNetwork},
    SubsystemWord{"netfilter", kWords, kNetwork},
    SubsystemWord{"netlink", kWords, kNetwork},
    SubsystemWord{"netns", kWords, kNetwork},
    SubsystemWord{"netin", kWords, kNetwork},  // Proxmox
    SubsystemWord{"netout", kWords, kNetwork},
    SubsystemWord{"netrx", kWords, kNetwork},
    SubsystemWord{"nettx", kWords, kNetwork},
    SubsystemWord{"tcp", kBegin, kNetwork},
    SubsystemWord{"udp", kBegin, kNetwork},
    SubsystemWord{"ib", kNumber, kNetwork},
    SubsystemWord{"infiniband", kWords, kNetwork},
    SubsystemWord{"rdma", kWords, kNetwork},
    SubsystemWord{"roce", kWords, kNetwork},
    SubsystemWord{"eth", kNumbered, kNetwork},
    SubsystemWord{"bond", kNumbered, kNetwork},
    SubsystemWord{"ens", kNumbered, kNetwork},
    SubsystemWord{"eno", kNumbered, kNetwork},
    SubsystemWord{"enp", kNumbered, kNetwork},
    SubsystemWord{"wlan", kNumbered, kNetwork},
    SubsystemWord{"node bonding", kWords, kNetwork},  // node_exporter
    SubsystemWord{"nic", kWords, kNetwork},
    SubsystemWord{"nics", kWords, kNetwork},
    SubsystemWord{"rx", kWords, kNetwork, kTraffic},
    SubsystemWord{"tx", kWords, kNetwork, kTraffic},
    SubsystemWord{"packets", kWords, kNetwork},
    SubsystemWord{"packet loss", kWords, kNetwork},
    SubsystemWord{"arp", kWords, kNetwork},
    SubsystemWord{"socket", kWords, kNetwork},
    SubsystemWord{"sockets", kWords, kNetwork},
    SubsystemWord{"sockstat", kWords, kNetwork},
    SubsystemWord{"totsck", kWords, kNetwork},  // sar -n SOCK
    SubsystemWord{"rawsck", kWords, kNetwork},
    SubsystemWord{"sock used", kWords, kNetwork},  // collectl, as the next six
    SubsystemWord{"sock orph", kWords, kNetwork},
    SubsystemWord{"sock tw", kWords, kNetwork},
    SubsystemWord{"sock alloc", kWords, kNetwork},
    SubsystemWord{"sock mem", kWords, kNetwork},
    SubsystemWord{"sock raw", kWords, kNetwork},
    SubsystemWord{"sock frag", kWords, kNetwork},
    SubsystemWord{"softnet", kWords, kNetwork},
    SubsystemWord{"conntrack", kWords, kNetwork},
    SubsystemWord{"iface", kWords, kNetwork},
    SubsystemWord{"if octets", kWords, kNetwork},  // collectd
    SubsystemWord{"if errors", kWords, kNetwork},
    SubsystemWord{"if dropped", kWords, kNetwork},
    SubsystemWord{"disk", kBegin, kStorage},
    SubsystemWord{"dsk", kBegin, kStorage},  // collectl, atop
    SubsystemWord{"nvme", kBegin, kStorage},
    SubsystemWord{"io", kWords, kStorage},
    SubsystemWord{"blkio", kWords, kStorage},
    SubsystemWord{"fs", kWords, kStorage},  // cAdvisor
    SubsystemWord{"filesystem", kWords, kStorage},
    SubsystemWord{"filesystems", kWords, kStorage},
    SubsystemWord{"inode", kBegin, kStorage},
    SubsystemWord{"nfs", kBegin, kStorage},
    SubsystemWord{"lustre", kWords, kStorage},
    SubsystemWord{"iops", kWords, kStorage},
    SubsystemWord{"read sectors", kWords, kStorage},
    SubsystemWord{"sectors read", kWords, kStorage},
    SubsystemWord{"written sectors", kWords, kStorage},
    SubsystemWord{"sectors written", kWords, kStorage},
    SubsystemWord{"xfs", kBegin, kStorage},
    SubsystemWord{"zfs", kBegin, kStorage},
    SubsystemWord{"btrfs", kBegin, kStorage},
    SubsystemWord{"node md", kWords, kStorage},  // node_exporter
    SubsystemWord{"mdstat", kWords, kStorage},
    SubsystemWord{"mdadm", kWords, kStorage},
    SubsystemWord{"megaraid", kWords, kStorage},
    SubsystemWord{"raid array", kWords, kStorage},
    SubsystemWord{"raid sync", kWords, kStorage},
    SubsystemWord{"storage", kWords, kStorage},
    SubsystemWord{"bread s", kAll, kStorage},  // sar -b
    SubsystemWord{"bwrtn", kFirst, kStorage},
    SubsystemWord{"rtps", kAll, kStorage},
    SubsystemWord{"wtps", kAll, kStorage},
    SubsystemWord{"mem", kNumber, kMemory},
    SubsystemWord{"memory", kNumber, kMemory},
    SubsystemWord{"memavail", kWords, kMemory},
    SubsystemWord{"memavailable", kWords, kMemory},
    SubsystemWord{"membw", kWords, kMemory},
    SubsystemWord{"memcg", kWords, kMemory},
    SubsystemWord{"memfree", kWords, kMemory},
    SubsystemWord{"meminfo", kWords, kMemory},
    SubsystemWord{"memstat", kWords, kMemory},
    SubsystemWord{"memstats", kWords, kMemory},  // go_memstats_alloc_bytes
    SubsystemWord{"memtotal", kWords, kMemory},
    SubsystemWord{"memusage", kWords, kMemory},
    SubsystemWord{"memused", kWords, kMemory},  // sar -r
    SubsystemWord{"memutil", kWords, kMemory},
    SubsystemWord{"shmem", kWords, kMemory},
    SubsystemWord{"numa", kNumber, kMemory},
    SubsystemWord{"numastat", kWords, kMemory},
    SubsystemWord{"swap", kNumber, kMemory, kSpace},
    SubsystemWord{"swap", kAll, kMemory},
    SubsystemWord{"swap total", kAll, kMemory},  // Telegraf, as the next two
    SubsystemWord{"swap in", kAll, kMemory},
    SubsystemWord{"swap out", kAll, kMemory},
    SubsystemWord{"swapcached", kWords, kMemory},
    SubsystemWord{"swapfree", kWords, kMemory},
    SubsystemWord{"swapin", kWords, kMemory},
    SubsystemWord{"swapins", kWords, kMemory},
    SubsystemWord{"swapout", kWords, kMemory},
    SubsystemWord{"swapouts", kWords, kMemory},
    SubsystemWord{"swappiness", kWords, kMemory},
    SubsystemWord{"swaptotal", kWords, kMemory},
    SubsystemWord{"swapused", kWords, kMemory},
    SubsystemWord{"ram", kWords, kMemory},
    SubsystemWord{"dram", kWords, kMemory},
    SubsystemWord{"edac", kWords, kMemory},
    SubsystemWord{"oom", kWords, kMemory},
    SubsystemWord{"system paging", kWords, kMemory},  // OpenTelemetry
    SubsystemWord{"vmstat", kWords, kMemory},
    SubsystemWord{"kbmem", kBegin, kMemory},  // sar -r
    SubsystemWord{"kbavail", kWords, kMemory},
    SubsystemWord{"kbbuffers", kWords, kMemory},
    SubsystemWord{"kbcached", kWords, kMemory},
    SubsystemWord{"kbcommit", kWords, kMemory},
    SubsystemWord{"kbactive", kWords, kMemory},
    SubsystemWord{"kbinact", kWords, kMemory},
    SubsystemWord{"kbdirty", kWords, kMemory},
    SubsystemWord{"kbswp", kBegin, kMemory},
    SubsystemWord{"swpused", kWords, kMemory},
    SubsystemWord{"page fault", kWords, kMemory},
    SubsystemWord{"page faults", kWords, kMemory},
    SubsystemWord{"pgfault", kWords, kMemory},
    SubsystemWord{"pgmajfault", kWords, kMemory},
    SubsystemWord{"majflt", kWords, kMemory},
    SubsystemWord{"minflt", kWords, kMemory},
    SubsystemWord{"pgscan", kBegin, kMemory},
    SubsystemWord{"pgsteal", kBegin, kMemory},
    SubsystemWord{"pgfree", kWords, kMemory},
    SubsystemWord{"pswpin", kWords, kMemory},
    SubsystemWord{"pswpout", kWords, kMemory},
    SubsystemWord{"hugepages", kWords, kMemory},
    SubsystemWord{"cpu", kBegin, kCpu},
    SubsystemWord{"ncpu", kWords, kCpu},
    SubsystemWord{"core", kNumbered, kCpu},
    SubsystemWord{"cores", kWords, kCpu},
    SubsystemWord{"coretemp", kWords, kCpu},
    SubsystemWord{"rapl", kWords, kCpu},
    SubsystemWord{"perf", kFirst, kCpu},  // the events of perf stat, but those told above
    SubsystemWord{"load", kAll, kCpu},
    SubsystemWord{"load1", kWords, kCpu},
    SubsystemWord{"load5", kWords, kCpu},
    SubsystemWord{"load15", kWords, kCpu},
    SubsystemWord{"loadavg", kWords, kCpu},
    SubsystemWord{"load average", kFirst, kCpu},
    SubsystemWord{"system load", kWords, kCpu},     // Micrometer, Netdata
    SubsystemWord{"load shortterm", kWords, kCpu},  // collectd
    SubsystemWord{"load midterm", kWords, kCpu},
    SubsystemWord{"load longterm", kWords, kCpu},
    SubsystemWord{"kernel all load", kWords, kCpu},  // PCP, as the next two
    SubsystemWord{"kernel all pswitch", kWords, kCpu},
    SubsystemWord{"kernel all runnable", kWords, kCpu},
    SubsystemWord{"ldavg", kWords, kCpu},  // sar -q, as the next two
    SubsystemWord{"runq", kWords, kCpu},
    SubsystemWord{"plist sz", kWords, kCpu},
    SubsystemWord{"procs running", kWords, kCpu},     // /proc/stat
    SubsystemWord{"system processes", kWords, kCpu},  // OpenTelemetry
    SubsystemWord{"procs blocked", kWords, kCpu},
    SubsystemWord{"processes running", kWords, kCpu},
    SubsystemWord{"processes forked", kWords, kCpu},  // Telegraf
    SubsystemWord{"forks", kAll, kCpu},
    SubsystemWord{"node forks", kWords, kCpu},    // node_exporter
    SubsystemWord{"system forks", kWords, kCpu},  // Netdata
    SubsystemWord{"context switch", kWords, kCpu},
    SubsystemWord{"context switches", kWords, kCpu},
    SubsystemWord{"ctxt", kWords, kCpu},
    SubsystemWord{"cswch", kWords, kCpu},
    SubsystemWord{"interrupt", kWords, kCpu},
    SubsystemWord{"interrupts", kWords, kCpu},
    SubsystemWord{"intr", kWords, kCpu},
    SubsystemWord{"irq", kWords, kCpu},
    SubsystemWord{"softirq", kBegin, kCpu},
    SubsystemWord{"schedstat", kWords, kCpu},
    SubsystemWord{"iowait", kWords, kCpu},
    SubsystemWord{"user", kAll, kCpu},  // sar -u, dstat, top, as those that follow
    SubsystemWord{"usr", kAll, kCpu},
    SubsystemWord{"system", kAll, kCpu},
    SubsystemWord{"sys", kAll, kCpu},
    SubsystemWord{"nice", kAll, kCpu},
    SubsystemWord{"gnice", kAll, kCpu},
    SubsystemWord{"idle", kAll, kCpu},
    SubsystemWord{"idl", kAll, kCpu},
    SubsystemWord{"wai", kAll, kCpu},
    SubsystemWord{"steal", kAll, kCpu},
    SubsystemWord{"stl", kAll, kCpu},
    SubsystemWord{"soft", kAll, kCpu},
    SubsystemWord{"guest", kAll, kCpu},
    SubsystemWord{"usage user", kAll, kCpu},
    SubsystemWord{"usage system", kAll, kCpu},
    SubsystemWord{"usage idle", kAll, kCpu},
};

// Of the name of an instance's key, such as "cpu" of cpu=0. Only the whole name counts: a cluster
// has labels like kubernetes_io_hostname on each metric.
inline constexpr std::array kWordsOfKeys{
    SubsystemWord{"gpu", kFirst, kGpu},  // gpu, gpu_id, gpu_uuid
    SubsystemWord{"net", kAll, kNetwork},        SubsystemWord{"nic", kAll, kNetwork},
    SubsystemWord{"iface", kAll, kNetwork},      SubsystemWord{"interface", kAll, kNetwork},
    SubsystemWord{"netdev", kAll, kNetwork},     SubsystemWord{"disk", kAll, kStorage},
    SubsystemWord{"filesystem", kAll, kStorage}, SubsystemWord{"mountpoint", kAll, kStorage},
    SubsystemWord{"numa", kAll, kMemory},        SubsystemWord{"cpu", kAll, kCpu},
    SubsystemWord{"core", kAll, kCpu},           SubsystemWord{"die", kAll, kCpu},
    SubsystemWord{"socket", kAll, kCpu},  // perf's is one of the board, with a processor in it
};

// Names of network devices, as the value of a key: device=eth0.
inline constexpr std::array kNetworkDevices{
    SubsystemWord{"lo", kAll, kNetwork},         SubsystemWord{"eth", kNumbered, kNetwork},
    SubsystemWord{"ens", kNumbered, kNetwork},   SubsystemWord{"eno", kNumbered, kNetwork},
    SubsystemWord{"enp", kNumbered, kNetwork},   SubsystemWord{"ib", kNumbered, kNetwork},
    SubsystemWord{"bond", kNumbered, kNetwork},  SubsystemWord{"wlan", kNumbered, kNetwork},
    SubsystemWord{"wlp", kNumbered, kNetwork},   SubsystemWord{"docker", kNumbered, kNetwork},
    SubsystemWord{"virbr", kNumbered, kNetwork}, SubsystemWord{"veth", kBegin, kNetwork},
    SubsystemWord{"mlx", kNumbered, kNetwork},
};

// Phrases whose words mean something else than they do alone.
inline constexpr std::array<std::string_view, 25> kOtherMeanings{
    // Of shops and markets.
    "net profit", "net revenue", "net income", "net sales", "net amount", "net price", "net worth",
    "net loss", "net margin", "net value", "net orders", "net promoter", "net asset",
    // Of models.
    "neural net", "neural network", "policy network", "value network", "target network",
    // Of applications.
    "ad network", "social network", "user interface", "socket io", "engine io", "page load",
    "local storage"};

}  // namespace subsystem_words

}  // namespace reveal::exchange
