#include "perf/event_tables.h"

#include <cstdint>

#include <fmt/format.h>

#include "perf/pfm_library.h"

namespace reveal::perf {
namespace {

struct Generation {
  std::string_view vendor;
  std::uint64_t family;
  std::uint64_t first_model;
  std::uint64_t last_model;
  std::string_view table;
};

// As the kernel's own tables are assigned, tools/perf/pmu-events/arch/x86/mapfile.csv. The first
// row that fits counts. Cascade Lake shares its model number with Skylake and its events too;
// Emerald Rapids is Sapphire Rapids' core once more. RISC-V's are of arch/riscv/mapfile.csv there,
// those of which one number alone tells the core; libpfm4 has no such tables, so their events are
// given by their codes (events_riscv.cc).
constexpr Generation kGenerations[] = {
    {"GenuineIntel", 6, 0x55, 0x55, "skx"},
    {"GenuineIntel", 6, 0x6a, 0x6a, "icx"},
    {"GenuineIntel", 6, 0x6c, 0x6c, "icx"},
    {"GenuineIntel", 6, 0x8f, 0x8f, "spr"},
    {"GenuineIntel", 6, 0xcf, 0xcf, "spr"},
    {"AuthenticAMD", 0x17, 0x00, 0x2f, "amd64_fam17h_zen1"},
    {"AuthenticAMD", 0x17, 0x30, 0xff, "amd64_fam17h_zen2"},
    {"AuthenticAMD", 0x19, 0x00, 0x0f, "amd64_fam19h_zen3"},
    {"AuthenticAMD", 0x19, 0x20, 0x5f, "amd64_fam19h_zen3"},
    {"AuthenticAMD", 0x19, 0x10, 0xff, "amd64_fam19h_zen4"},
    {"0x489", 0x8000000000000007, 0, UINT64_MAX, "u74"},
    {"0x489", 0x8000000000000008, 0, UINT64_MAX, "p550"},
    {"0x5b7", 0, 0, 0, "c900"},
    {"0x5b7", 0x80000000090c0d00, 0x2047000, 0x2047000, "c900"},
};

}  // namespace

std::string_view event_table_of(const procfs::Processor& processor) {
  for (const Generation& row : kGenerations) {
    if (processor.vendor == row.vendor && processor.family == row.family &&
        processor.model >= row.first_model && processor.model <= row.last_model) {
      return row.table;
    }
  }
  return {};
}

base::Result<EventCode> encode_in_table(std::string_view table, std::string_view event) {
  static const auto library = PfmLibrary::load(PfmLibrary::kName);
  if (!library) return base::pass(library);
  return library->encode(fmt::format("{}::{}", table, event));
}

}  // namespace reveal::perf
