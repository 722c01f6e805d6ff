#include "fleet/before_after_json.h"

#include "fleet/json.h"
#include "report/json_parts.h"

namespace reveal::fleet {
namespace {

using report::Json;

Json run(const ComparedRun& it) {
  return {{"recording", it.recording},
          {"host", it.recorded.name},
          {"begin", report::time(it.grid.begin_ns)},
          {"end", report::time(it.grid.end_ns())},
          {"buckets", it.grid.buckets},
          {"interval_ns", it.recorded.interval_ns}};
}

Json interval(const Interval& it) {
  return {{"value", it.value}, {"low", it.low}, {"high", it.high}};
}

Json work_change(const WorkChange& it) {
  Json counted = Json::array();
  for (const auto quantity : it.counted) counted.push_back(work::to_string(quantity));
  return {{"kind", work::to_string(it.kind)},
          {"job", it.job},
          {"name", it.name},
          {"rate", it.is_known() ? interval(it.rate) : Json(nullptr)},
          {"not_known", it.is_known() ? Json(nullptr) : Json(it.not_known)},
          {"counted", std::move(counted)}};
}

Json change(const LevelChange& it) {
  Json out = quantity_json(it.quantity);
  out["unit"] = it.quantity.unit;
  out["kind"] = it.is_first_seen ? "first_seen" : "level";
  out["before"] = interval(it.before);
  out["after"] = interval(it.after);
  out["change"] = interval(it.change);
  out["least"] = it.least;
  out["effect"] = it.effect();
  return out;
}

Json pattern(const RecognizedPattern& it) {
  Json out = report::described(*it.pattern);
  out["channels"] = it.channels;
  return out;
}

Json partial(const PartialMetric& it) {
  return {{"metric", it.metric}, {"run", it.has[0] ? "before" : "after"}};
}

template <typename Values, typename Make>
Json listed(const Values& values, const Make& make) {
  Json out = Json::array();
  for (const auto& value : values) out.push_back(make(value));
  return out;
}

Json fact(const FactDifference& it) {
  return {{"subject", it.subject}, {"before", it.observed}, {"after", it.usual}};
}

}  // namespace

std::string to_json(const BeforeAfter& it) {
  const Json out = {{"schema", "reveal.before_after"},
                    {"schema_version", kBeforeAfterVersion},
                    {"before", run(it.runs[0])},
                    {"after", run(it.runs[1])},
                    {"one_host", it.one_host()},
                    {"shared_ns", it.shared_ns()},
                    {"bucket_ns", it.runs[0].grid.bucket_ns},
                    {"confidence", kChangeConfidence},
                    {"work_confidence", kWorkConfidence},
                    {"work", listed(it.work, work_change)},
                    {"quantities", it.quantities},
                    {"constant", it.constant},
                    {"changes", listed(it.changes, change)},
                    {"patterns", listed(it.patterns, pattern)},
                    {"facts_compared", it.facts_compared},
                    {"facts", listed(it.facts, fact)},
                    {"only_one_has", listed(it.lacking, partial)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::fleet
