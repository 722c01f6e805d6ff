#include "procfs/cpuinfo.h"

namespace reveal::procfs {
namespace {

std::string_view key_of(std::string_view line) {
  const auto key = line.substr(0, line.find(':'));
  return key.substr(0, key.find_last_not_of(" \t") + 1);
}

void append_part(std::string_view name, std::string_view value, std::string& out) {
  if (!out.empty()) out += ' ';
  out.append(name).append(" ").append(value);
}

// By which RISC-V's firmware knows its core; a "model name" or "uarch" stands before them, or none.
bool is_riscv_number(std::string_view key) {
  return key == "mvendorid" || key == "marchid" || key == "mimpid";
}

}  // namespace

void parse_cpuinfo(std::string_view text, CpuInfo& out) {
  out.model.clear();
  out.microcode.reset();
  out.instruction_set.clear();
  LineCursor lines(text);
  for (std::string_view line; lines.next(line) && !line.empty();) {
    if (line.find(':') == std::string_view::npos) continue;
    const auto key = key_of(line);
    const auto value = WordCursor(line.substr(line.find(':') + 1)).rest();
    if (key == "model name") out.model = value;
    if (key == "microcode") out.microcode = parse_0x(value);
    if (key == "CPU implementer") append_part("implementer", value, out.model);
    if (key == "CPU part") append_part("part", value, out.model);
    if (key == "isa") out.instruction_set = value;
    if (key == "uarch") out.model = value;
    if (is_riscv_number(key)) append_part(key, value, out.model);
  }
}

}  // namespace reveal::procfs
