#include "sql/fleet.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ledger/database.h"
#include "ledger/schema.h"

namespace reveal::sql {
namespace {

struct FleetTable {
  std::string_view name;
  std::string_view help;  // a sentence
  std::size_t since = 1;  // version of the database
};

// In the order of docs/how_to/fleet.md, which has their columns' meanings.
constexpr std::array<FleetTable, 10> kTables{{
    {"hosts", "A row is a host."},
    {"facts", "A row is a fact of a host, as told last."},
    {"findings", "A row is a finding of a host's own detectors."},
    {"incidents", "A row is an incident: hosts that were slow together."},
    {"incident_hosts", "A row is a host of an incident."},
    {"leases", "A row says who judges a group, or did last.", 2},
    {"late_seconds", "A row is a second of a host that was told after the broker was away.", 3},
    {"late_dictionaries", "A row says what the levels of late seconds mean.", 3},
    {"gaps", "A row is a stretch of time of a group that was judged by late seconds.", 4},
    {"jobs", "A row is a job whose hosts were compared with one another.", 5},
}};

base::Result<std::unique_ptr<ledger::Database>> open(const std::string& where) {
  auto out = ledger::open_database(where, ledger::Access::kRead);
  if (!out) return out;
  if (const auto sound = ledger::check_version(**out); !sound) return base::pass(sound);
  return out;
}

duck::ResultKind kind_of(ledger::CellKind kind) {
  switch (kind) {
    case ledger::CellKind::kNumber:
      return duck::ResultKind::kNumber;
    case ledger::CellKind::kBoolean:
      return duck::ResultKind::kBoolean;
    case ledger::CellKind::kText:
      break;
  }
  return duck::ResultKind::kText;
}

std::vector<duck::ResultColumn> columns_of(const ledger::Answer& answer) {
  std::vector<duck::ResultColumn> out;
  for (const auto& column : answer.columns()) out.push_back({column.name, kind_of(column.kind)});
  return out;
}

}  // namespace

base::Result<void> print_fleet_answer(const std::string& where, const std::string& statement,
                                      Format format, const TextSink& sink) {
  const auto database = open(where);
  if (!database) return base::pass(database);
  const auto answer = (*database)->ask(statement);
  if (!answer) return base::pass(answer);
  auto columns = columns_of(**answer);
  if (columns.empty()) return {};
  const auto next = [&] {
    auto row = (*answer)->next();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].kind = kind_of((*answer)->columns()[i].kind);
    }
    return row;
  };
  return print_rows({.columns = columns, .next = next}, format, sink);
}

base::Result<std::string> fleet_schema(const std::string& where) {
  const auto database = open(where);
  if (!database) return base::pass(database);
  const auto version = ledger::version_of(**database);
  if (!version) return base::pass(version);
  std::string out;
  for (const auto& table : kTables) {
    if (table.since > *version) continue;
    const auto answer = (*database)->ask(fmt::format("SELECT * FROM {} LIMIT 0", table.name));
    if (!answer) return base::pass(answer);
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", table.name, table.help);
    for (const auto& column : (*answer)->columns()) out += fmt::format("  {}\n", column.name);
    while (const auto row = (*answer)->next()) {
      if (row->empty()) break;
    }
  }
  return out;
}

}  // namespace reveal::sql
