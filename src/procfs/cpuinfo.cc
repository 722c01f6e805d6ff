#include "procfs/cpuinfo.h"

#include <charconv>

namespace reveal::procfs {
namespace {

Value parse_hex(std::string_view word) {
  if (!word.starts_with("0x")) return std::nullopt;
  word.remove_prefix(2);
  std::uint64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string_view key_of(std::string_view line) {
  const auto key = line.substr(0, line.find(':'));
  return key.substr(0, key.find_last_not_of(" \t") + 1);
}

void append_part(std::string_view name, std::string_view value, std::string& out) {
  if (!out.empty()) out += ' ';
  out.append(name).append(" ").append(value);
}

}  // namespace

void parse_cpuinfo(std::string_view text, CpuInfo& out) {
  out.model.clear();
  out.microcode.reset();
  LineCursor lines(text);
  for (std::string_view line; lines.next(line) && !line.empty();) {
    if (line.find(':') == std::string_view::npos) continue;
    const auto key = key_of(line);
    const auto value = WordCursor(line.substr(line.find(':') + 1)).rest();
    if (key == "model name") out.model = value;
    if (key == "microcode") out.microcode = parse_hex(value);
    if (key == "CPU implementer") append_part("implementer", value, out.model);
    if (key == "CPU part") append_part("part", value, out.model);
  }
}

}  // namespace reveal::procfs
