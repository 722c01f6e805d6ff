#include "perf/event_tables.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>

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
// Emerald Rapids is Sapphire Rapids' core once more.
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
};

// libpfm4 encodes for processors other than this one only where the environment says so when it
// starts. The variable is taken back at once: CMD would inherit it.
bool start_library() {
  const bool was_set = std::getenv("LIBPFM_ENCODE_INACTIVE") != nullptr;
  if (!was_set) ::setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
  const bool started = ::pfm_initialize() == PFM_SUCCESS;
  if (!was_set) ::unsetenv("LIBPFM_ENCODE_INACTIVE");
  return started;
}

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
  static const bool started = start_library();
  const std::string name = fmt::format("{}::{}", table, event);
  perf_event_attr attr{};
  pfm_perf_encode_arg_t encoding{};
  encoding.attr = &attr;
  encoding.size = sizeof(encoding);
  const int outcome = started ? ::pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3,
                                                            PFM_OS_PERF_EVENT, &encoding)
                              : PFM_ERR_NOINIT;
  if (outcome != PFM_SUCCESS) {
    return base::fail(
        base::ErrorKind::kAbsent,
        fmt::format("not among the events of this processor ({})", ::pfm_strerror(outcome)),
        "perf event " + name);
  }
  return EventCode{attr.type, attr.config, attr.config1, attr.config2, 0, 0};
}

}  // namespace reveal::perf
