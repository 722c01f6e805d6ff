#include "perf/pmu.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::perf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPmus = 4096;     // a large server has some hundred uncore boxes
constexpr std::size_t kMaxEntries = 4096;  // of one folder
constexpr std::string_view kSuffixes[] = {".scale", ".unit", ".snapshot", ".per-pkg"};

// Returns the file's text without blanks around it; nothing if it cannot be read.
std::optional<std::string> text_of(const fs::path& path) {
  procfs::TextFile file(path.string());
  const auto text = file.read();
  if (!text) return std::nullopt;
  return std::string(procfs::trimmed(*text));
}

std::vector<std::string> entries_of(const fs::path& folder, std::size_t most) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && out.size() < most;
       it.increment(error)) {
    out.push_back(it->path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool describes_another(std::string_view entry) {
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                     [&](std::string_view suffix) { return entry.ends_with(suffix); });
}

void read_fields(const fs::path& folder, Pmu& pmu) {
  for (const auto& name : entries_of(folder, kMaxEntries)) {
    const auto text = text_of(folder / name);
    const auto field = text ? procfs::parse_pmu_field(*text) : std::nullopt;
    if (field) pmu.fields.emplace(name, *field);
  }
}

void read_events(const fs::path& folder, Pmu& pmu) {
  for (const auto& name : entries_of(folder, kMaxEntries)) {
    if (describes_another(name)) continue;
    auto terms = text_of(folder / name);
    if (!terms || terms->empty()) continue;
    PmuEvent event{std::move(*terms), 1.0, text_of(folder / (name + ".unit")).value_or("")};
    if (const auto text = text_of(folder / (name + ".scale"))) {
      const auto scale = procfs::parse_event_scale(*text);
      if (!scale) continue;  // a count of unknown size is worse than none
      event.scale = *scale;
    }
    pmu.events.emplace(name, std::move(event));
  }
}

std::optional<Pmu> read_pmu(const fs::path& folder) {
  const auto type = text_of(folder / "type");
  const auto number = type ? procfs::parse_u64(*type) : std::nullopt;
  if (!number || *number > UINT32_MAX) return std::nullopt;
  Pmu pmu;
  pmu.name = folder.filename().string();
  pmu.type = static_cast<std::uint32_t>(*number);
  auto cpus = text_of(folder / "cpumask");
  if (!cpus) cpus = text_of(folder / "cpus");  // Arm's core PMUs, Intel's hybrid ones
  if (cpus) pmu.cpus = procfs::parse_cpu_list(*cpus);
  read_fields(folder / "format", pmu);
  read_events(folder / "events", pmu);
  return pmu;
}

// Puts the value's bits where the field says. Returns false for a value that does not fit.
bool put(const procfs::PmuField& field, std::uint64_t value,
         std::array<std::uint64_t, procfs::kPmuWords>& words) {
  std::uint64_t& word = words[field.word];
  for (const auto [low, high] : field.bits) {
    const unsigned width = high - low + 1;
    const std::uint64_t mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
    word = (word & ~(mask << low)) | ((value & mask) << low);
    value = width == 64 ? 0 : value >> width;
  }
  return value == 0;
}

base::Unexpected cannot(const Pmu& pmu, const procfs::EventTerm& term, std::string_view why) {
  return base::fail(base::ErrorKind::kAbsent, fmt::format("{} '{}'", why, term.name),
                    "perf PMU " + pmu.name);
}

struct Encoder {
  const Pmu& pmu;
  std::array<std::uint64_t, procfs::kPmuWords> words{};
  double scale = 1.0;
  std::string unit{};

  base::Result<void> add(std::string_view terms, bool may_name_events) {
    for (const auto& term : procfs::parse_event_terms(terms)) {
      const auto event = pmu.events.find(term.name);
      if (!term.has_value && may_name_events && event != pmu.events.end()) {
        if (auto added = add(event->second.terms, false); !added) return added;
        scale = event->second.scale;
        unit = event->second.unit;
        continue;
      }
      if (auto added = add_field(term); !added) return added;
    }
    return {};
  }

  base::Result<void> add_field(const procfs::EventTerm& term) {
    const auto field = pmu.fields.find(term.name);
    if (field == pmu.fields.end()) return cannot(pmu, term, "has no event or field");
    const auto value = term.has_value ? term.value : procfs::Value(1);
    if (!value || !put(field->second, *value, words)) {
      return cannot(pmu, term, "cannot hold the value of its field");
    }
    return {};
  }
};

}  // namespace

std::vector<Pmu> read_pmus(const procfs::HostRoot& root) {
  std::vector<Pmu> out;
  const fs::path folder = root.sys_path("bus/event_source/devices");
  for (const auto& name : entries_of(folder, kMaxPmus)) {
    if (auto pmu = read_pmu(folder / name)) out.push_back(std::move(*pmu));
  }
  return out;
}

base::Result<EncodedEvent> encode(const Pmu& pmu, std::string_view terms) {
  Encoder encoder{pmu};
  if (auto added = encoder.add(terms, true); !added) return base::pass(added);
  const auto& words = encoder.words;
  return EncodedEvent{{pmu.type, words[0], words[1], words[2], words[3], 0},
                      encoder.scale,
                      std::move(encoder.unit)};
}

bool is_meant(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (!name.starts_with(pattern)) return false;
  name.remove_prefix(pattern.size());
  if (name.empty()) return true;
  if (name.front() == '_') name.remove_prefix(1);
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace reveal::perf
