#include "perf/event_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "perf/event_tables.h"
#include "procfs/text_cursor.h"
#include "procfs/text_file.h"

namespace reveal::perf {
namespace {

std::string table_of_host(const procfs::HostRoot& root) {
  procfs::TextFile file(root.proc_path("cpuinfo"));
  const auto text = file.read();
  const auto processor = text ? procfs::parse_processor(*text) : std::nullopt;
  return processor ? std::string(event_table_of(*processor)) : std::string();
}

// "amd64_fam19h_zen3" is meant by zen3, "skx" by skx.
bool is_table(std::string_view table, std::string_view word) {
  return table == word || (table.ends_with(word) && table.size() > word.size() &&
                           table[table.size() - word.size() - 1] == '_');
}

// Splits "skx,icx:pmu/..." and returns whether the processor is one of those named, or none is.
bool take_processors(std::string_view& name, std::string_view table) {
  const auto colon = name.substr(0, name.find('/')).find(':');
  if (colon == std::string_view::npos) return true;
  std::string_view words = name.substr(0, colon);
  name.remove_prefix(colon + 1);
  while (!words.empty()) {
    const auto comma = words.find(',');
    if (is_table(table, words.substr(0, comma))) return true;
    words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
  }
  return false;
}

base::Unexpected absent(std::string_view what, std::string_view name) {
  return base::fail(base::ErrorKind::kAbsent, std::string(what),
                    fmt::format("perf event {}", name));
}

}  // namespace

EventNames::EventNames(const procfs::HostRoot& root)
    : pmus_(read_pmus(root)), table_(table_of_host(root)) {}

base::Result<std::vector<FoundEvent>> EventNames::find(std::string_view names) const {
  procfs::WordCursor words(names);
  std::string_view name;
  base::Result<std::vector<FoundEvent>> last = absent("has no name", names);
  while (words.next(name)) {
    last = find_one(name);
    if (last) return last;
  }
  return last;
}

base::Result<std::vector<FoundEvent>> EventNames::find_one(std::string_view name) const {
  if (name.find('/') != std::string_view::npos) return find_terms(name);
  if (table_.empty()) return absent("this processor has no table of events", name);
  auto code = encode_in_table(table_, name);
  if (!code) return base::pass(code);
  return std::vector<FoundEvent>{{nullptr, {*code, 1.0, ""}, std::string(name)}};
}

base::Result<std::vector<FoundEvent>> EventNames::find_terms(std::string_view name) const {
  std::string_view rest = name;
  if (!take_processors(rest, table_)) return absent("of another processor", name);
  const auto first = rest.find('/');
  const auto last = rest.rfind('/');
  if (last == first) return absent("is not written pmu/terms/", name);
  const auto pattern = rest.substr(0, first);
  const auto terms = rest.substr(first + 1, last - first - 1);
  const auto precise = static_cast<std::uint8_t>(rest.size() - last - 1);
  std::vector<FoundEvent> found;
  base::Result<std::vector<FoundEvent>> failure =
      absent(fmt::format("this kernel shows no PMU {}", pattern), name);
  for (const Pmu& pmu : pmus_) {
    if (!is_meant(pattern, pmu.name)) continue;
    auto event = encode(pmu, terms);
    if (!event) {
      failure = base::pass(event);
      continue;
    }
    event->code.precise = precise;
    found.push_back({&pmu, std::move(*event), std::string(name)});
  }
  if (found.empty()) return failure;
  return found;
}

}  // namespace reveal::perf
