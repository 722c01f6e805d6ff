#include "cli/optional_parts.h"

#include <string_view>
#include <utility>

#include "cli/page_remedy.h"
#include "duck/library.h"
#include "ledger/pq_library.h"
#include "ledger/sqlite_library.h"
#include "page/assets.h"
#include "perf/pfm_library.h"

namespace reveal::cli {
namespace {

constexpr const char* kMissing = "missing";

OptionalPart page_part() {
  if (page::is_built()) return {"page", "page", "built in", "report.html", "", ""};
  return {"page", "page", kMissing, "report.html", "", "no report.html; " + page_remedy()};
}

OptionalPart nvml_part() {
  return {
      "nvml",      "NVML",
      "not tried", "a process of its own loads it to record; reveal doctor says whether it is here",
      "",          ""};
}

// A library that is loaded when it is needed.
template <typename Loaded>
OptionalPart part_of(const char* key, const char* name, const char* purpose, const Loaded& library,
                     std::string version = "") {
  if (library) return {key, name, "here", purpose, std::move(version), ""};
  return {key, name, kMissing, purpose, "", library.error().message()};
}

OptionalPart duckdb_part() {
  const auto library = duck::Library::load();
  return part_of("duckdb", "DuckDB", "reveal sql and Parquet", library,
                 library ? library->version() : "");
}

}  // namespace

bool OptionalPart::missing() const {
  return std::string_view(state) == kMissing;
}

const std::string& OptionalPart::note() const {
  return trouble.empty() ? purpose : trouble;
}

std::vector<OptionalPart> optional_parts() {
  return {page_part(),
          nvml_part(),
          part_of("libpfm", "libpfm", "events by their vendors' names",
                  perf::PfmLibrary::load(perf::PfmLibrary::kName)),
          duckdb_part(),
          part_of("sqlite", "SQLite", "reveal analyser --db FILE", ledger::load_sqlite()),
          part_of("libpq", "libpq", "reveal analyser --db postgresql://...", ledger::load_pq())};
}

}  // namespace reveal::cli
