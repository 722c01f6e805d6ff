#include "procfs/kernel_parameters.h"

#include <algorithm>

#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

constexpr std::string_view kTold[] = {
    "amd_iommu",
    "amd_pstate",
    "audit",
    "clocksource",
    "cma",
    "cpufreq.default_governor",
    "default_hugepagesz",
    "hugepages",
    "hugepagesz",
    "idle",
    "init_on_alloc",
    "init_on_free",
    "intel_idle.max_cstate",
    "intel_iommu",
    "intel_pstate",
    "iommu",
    "iommu.passthrough",
    "iommu.strict",
    "irqaffinity",
    "isolcpus",
    "kpti",
    "l1tf",
    "maxcpus",
    "mce",
    "mds",
    "mitigations",
    "movable_node",
    "nmi_watchdog",
    "nohz",
    "nohz_full",
    "nosmt",
    "nowatchdog",
    "nr_cpus",
    "numa",
    "numa_balancing",
    "nvme.poll_queues",
    "nvme_core.multipath",
    "page_alloc.shuffle",
    "pci",
    "pcie_aspm",
    "preempt",
    "processor.max_cstate",
    "pti",
    "rcu_nocbs",
    "rcu_nocb_poll",
    "retbleed",
    "selinux",
    "skew_tick",
    "spec_store_bypass_disable",
    "spectre_v2",
    "swiotlb",
    "systemd.unified_cgroup_hierarchy",
    "threadirqs",
    "transparent_hugepage",
    "tsc",
    "workqueue.power_efficient",
};

bool is_told(std::string_view name) {
  return std::find(std::begin(kTold), std::end(kTold), name) != std::end(kTold);
}

void append(std::string_view word, std::string& out) {
  if (!out.empty()) out += ' ';
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || is_told(word.substr(0, equals))) {
    out += word;
  } else {
    out.append(word.substr(0, equals + 1)).append("...");
  }
}

}  // namespace

void tell_kernel_parameters(std::string_view text, std::string& out) {
  out.clear();
  std::string_view line;
  if (!LineCursor(text).next(line)) return;
  WordCursor words(line);
  for (std::string_view word; words.next(word) && word != "--";) append(word, out);
}

}  // namespace reveal::procfs
