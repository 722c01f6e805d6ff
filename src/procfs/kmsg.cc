#include "procfs/kmsg.h"

#include <algorithm>
#include <initializer_list>

namespace reveal::procfs {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](auto part) { return has(text, part); });
}

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, text.find_first_not_of("0123456789"));
}

// Both drivers print "(PCI:0000:17:00): 79, ..."; before 2014 there was no "PCI:".
std::optional<TroubleLine> parse_xid(KernelTrouble trouble, std::string_view behind_name) {
  constexpr std::string_view kBus = "PCI:";
  const auto close = behind_name.find("):");
  if (!behind_name.starts_with('(') || close == std::string_view::npos) return std::nullopt;
  TroubleLine out{.trouble = trouble};
  out.device = behind_name.substr(1, close - 1);
  if (out.device.starts_with(kBus)) out.device.remove_prefix(kBus.size());
  auto rest = behind_name.substr(close + 2);
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  out.code = parse_u64(leading_digits(rest));
  return out;
}

std::optional<TroubleLine> match_xid(std::string_view message) {
  constexpr std::string_view kXid = "NVRM: Xid ";
  constexpr std::string_view kSxid = "SXid ";
  if (const auto at = message.find(kXid); at != std::string_view::npos) {
    return parse_xid(KernelTrouble::kXid, message.substr(at + kXid.size()));
  }
  if (!message.starts_with("nvidia-nvswitch")) return std::nullopt;
  const auto at = message.find(kSxid);
  if (at == std::string_view::npos) return std::nullopt;
  return parse_xid(KernelTrouble::kSxid, message.substr(at + kSxid.size()));
}

bool is_machine_check(std::string_view message) {
  return has(message, "[Hardware Error]: ") &&
         has_any(message, {"Machine check events logged", ": Machine Check", "error from APEI"});
}

// Linux 6.8 writes "error message received from" where older ones write "error received:".
bool is_aer(std::string_view message) {
  return has(message, ": AER: ") && has(message, "rror ") && has(message, "received");
}

// SATA ports without a disk say "link down" whenever they are looked at.
bool is_link_down(std::string_view message) {
  if (message.starts_with("ata")) return false;
  return has_any(message, {"Link is Down", "Link is down", "link is down", "Link Down", "Link down",
                           "link down"});
}

bool is_mlx5(std::string_view message) {
  return has(message, "mlx5_core ") &&
         has_any(message,
                 {"health compromised", "Health issue observed", "timeout. Will cause a leak"});
}

struct Pattern {
  KernelTrouble trouble;
  bool (*matches)(std::string_view message);
};

constexpr Pattern kPatterns[] = {
    {KernelTrouble::kMlx5, is_mlx5},
    {KernelTrouble::kNvmeTimeout,
     [](auto line) {
       return line.starts_with("nvme ") && has(line, ": I/O ") && has(line, "timeout");
     }},
    {KernelTrouble::kMachineCheck, is_machine_check},
    {KernelTrouble::kOutOfMemory,
     [](auto line) { return has(line, "ut of memory: Killed process "); }},
    {KernelTrouble::kSoftLockup, [](auto line) { return has(line, "BUG: soft lockup - "); }},
    {KernelTrouble::kHungTask,
     [](auto line) {
       return line.starts_with("INFO: task ") && has(line, " blocked for more than ");
     }},
    {KernelTrouble::kPcieAer, is_aer},
    {KernelTrouble::kLinkDown, is_link_down},
    {KernelTrouble::kIoError,
     [](auto line) { return has(line, " error, dev ") && has(line, ", sector "); }},
};

}  // namespace

std::optional<KmsgRecord> parse_kmsg(std::string_view record) {
  const auto semicolon = record.find(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  const auto head = record.substr(0, semicolon);
  const auto comma = head.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto sequence = parse_u64(leading_digits(head.substr(comma + 1)));
  if (!sequence || !parse_u64(head.substr(0, comma))) return std::nullopt;
  const auto message = record.substr(semicolon + 1);
  return KmsgRecord{*sequence, message.substr(0, message.find('\n'))};
}

std::optional<TroubleLine> match_trouble(std::string_view message) {
  if (auto xid = match_xid(message)) return xid;
  for (const Pattern& pattern : kPatterns) {
    if (pattern.matches(message)) return TroubleLine{.trouble = pattern.trouble};
  }
  return std::nullopt;
}

}  // namespace reveal::procfs
