#include "procfs/interrupts.h"

#include <algorithm>
#include <cctype>

namespace reveal::procfs {
namespace {

struct NameRule {
  std::string_view prefix;
  IrqClass irq_class;
};

// Drivers by the beginning of their actions' names; the first match counts.
constexpr NameRule kNameRules[] = {
    {"mlx5", IrqClass::kMlx5},       {"mlx4", IrqClass::kNic},
    {"nvme", IrqClass::kStorage},    {"ahci", IrqClass::kStorage},
    {"megasas", IrqClass::kStorage}, {"mpt3sas", IrqClass::kStorage},
    {"mpt2sas", IrqClass::kStorage}, {"smartpqi", IrqClass::kStorage},
    {"nvidia", IrqClass::kGpu},      {"amdgpu", IrqClass::kGpu},
    {"i40e", IrqClass::kNic},        {"ice-", IrqClass::kNic},
    {"ixgbe", IrqClass::kNic},       {"bnxt", IrqClass::kNic},
    {"ena-", IrqClass::kNic},        {"qede", IrqClass::kNic},
    {"irdma", IrqClass::kNic},       {"hfi1", IrqClass::kNic},
    {"eth", IrqClass::kNic},         {"eno", IrqClass::kNic},
    {"ens", IrqClass::kNic},         {"enp", IrqClass::kNic},
    {"ib", IrqClass::kNic},
};

// Queues by the part behind "virtioN-": virtio-blk calls its own req.N, virtio-net input.N and
// output.N. virtio-scsi has request queues called "request".
constexpr NameRule kVirtioRules[] = {
    {"req", IrqClass::kStorage},
    {"input.", IrqClass::kNic},
    {"output.", IrqClass::kNic},
};

struct UsualName {
  std::string_view said;  // a whole description, or the action's name
  std::string_view name;
};

// arch/arm64/kernel/smp.c, arch/riscv/kernel/smp.c.
constexpr UsualName kBetweenCores[] = {
    {"Rescheduling interrupts", "RES"},
    {"Function call interrupts", "CAL"},
};

// drivers/clocksource/{arm_arch_timer,timer-riscv}.c, drivers/perf/{arm_pmu,riscv_pmu_sbi}.c.
constexpr UsualName kOfTheCore[] = {
    {"arch_timer", "LOC"},
    {"riscv-timer", "LOC"},
    {"arm-pmu", "PMI"},
    {"riscv-pmu", "PMI"},
};

template <typename Names>
std::string_view usual_or(const Names& names, std::string_view said, std::string_view name) {
  for (const UsualName& usual : names) {
    if (usual.said == said) return usual.name;
  }
  return name;
}

std::string_view last_word(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const auto blank = text.find_last_of(" \t");
  return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

template <typename Rules>
IrqClass first_match(const Rules& rules, std::string_view name) {
  for (const NameRule& rule : rules) {
    if (name.starts_with(rule.prefix)) return rule.irq_class;
  }
  return IrqClass::kOther;
}

}  // namespace

bool is_device_row(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view usual_name(std::string_view name, std::string_view description) {
  if (is_device_row(name)) return usual_or(kOfTheCore, last_word(description), name);
  if (!name.starts_with("IPI")) return name;
  const auto last = description.find_last_not_of(" \t");
  return usual_or(kBetweenCores, description.substr(0, last + 1), name);
}

IrqClass classify_irq(std::string_view description) {
  const std::string_view name = last_word(description);
  if (!name.starts_with("virtio")) return first_match(kNameRules, name);
  const auto dash = name.find('-');
  if (dash == std::string_view::npos) return IrqClass::kOther;
  return first_match(kVirtioRules, name.substr(dash + 1));
}

void queue_group_of(std::string_view action, std::string& out) {
  const auto at = action.find('@');
  const auto queue = action.substr(0, at);
  const auto last = queue.find_last_not_of("0123456789");
  auto group = queue.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const bool numbered = group.size() < queue.size() &&
                        (group.ends_with('-') || group.ends_with('.') || group.ends_with('_') ||
                         group.ends_with('q') || group.ends_with("comp"));
  if (!numbered) group = queue;
  if (numbered) group = group.substr(0, group.find_last_not_of("-._") + 1);
  out.assign(group);
  if (at != std::string_view::npos) out += action.substr(at);
}

}  // namespace reveal::procfs
