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

IrqClass classify_irq(std::string_view description) {
  const std::string_view name = last_word(description);
  if (!name.starts_with("virtio")) return first_match(kNameRules, name);
  const auto dash = name.find('-');
  if (dash == std::string_view::npos) return IrqClass::kOther;
  return first_match(kVirtioRules, name.substr(dash + 1));
}

}  // namespace reveal::procfs
