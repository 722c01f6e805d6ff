#include "report/seen_fields.h"

#include "attribute/claim.h"

namespace reveal::report {
namespace {

using Seen = SeenEvidence;

// A value of the window in which evidence was seen; nothing if the finding does not have it.
template <typename Get>
Value of_window(const Seen& it, Get get) {
  const auto* window = it.finding.window_of(it.evidence);
  return window == nullptr ? Value() : Value(get(*window));
}

Value flagged_by(const Seen& it) {
  Texts out;
  const auto* window = it.finding.window_of(it.evidence);
  if (window == nullptr) return out;
  for (const auto& one : window->detectors) out.emplace_back(one.detector);
  return out;
}

constexpr Field<Seen> kSeenFields[] = {
    {.name = "window_id",
     .type = FieldType::kCount,
     .help = "number of the window in which it was seen: where it lies farthest from the median",
     .get =
         [](const Seen& it) {
           return of_window(it, [](const auto& one) { return std::uint64_t{one.span.id.value()}; });
         },
     .written = Written::kInTables},
    {.name = "window_begin",
     .type = FieldType::kTime,
     .help = "of that window's first tick",
     .get =
         [](const Seen& it) {
           return of_window(it, [](const auto& one) { return WallTime{one.span.begin_ns}; });
         },
     .written = Written::kInTables},
    {.name = "window_end",
     .type = FieldType::kTime,
     .help = "of that window's end",
     .get =
         [](const Seen& it) {
           return of_window(it, [](const auto& one) { return WallTime{one.span.end_ns}; });
         },
     .written = Written::kInTables},
    {.name = "detectors",
     .type = FieldType::kTexts,
     .help = "the detectors that flag that window; empty if none does",
     .get = flagged_by,
     .written = Written::kInTables},
    {.name = "claim",
     .help = "what it shows, as a sentence",
     .get = [](const Seen& it) -> Value {
       return attribute::claim(*it.report.channel_table, it.evidence);
     },
     .written = Written::kInTables},
};

}  // namespace

std::span<const Field<SeenEvidence>> seen_fields() {
  return kSeenFields;
}

std::span<const Column> seen_columns() {
  static const auto columns = columns_of(seen_fields());
  return columns;
}

}  // namespace reveal::report
