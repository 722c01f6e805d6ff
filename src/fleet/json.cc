#include "fleet/json.h"

#include <cmath>
#include <utility>

#include "report/json_parts.h"

namespace reveal::fleet {
namespace {

using report::Json;
using report::time;

Json difference(const Difference& it) {
  Json out = quantity_json(it.quantity);
  out["kind"] = it.is_total ? "total" : "level";
  out["unit"] =
      it.is_total ? it.quantity.unit.substr(0, it.quantity.unit.rfind("/s")) : it.quantity.unit;
  out["observed"] = it.observed;
  out["peers_median"] = it.peers;
  out["peers_low"] = it.peers_low;
  out["peers_high"] = it.peers_high;
  out["peers"] = it.peer_count;
  out["limit"] = {{"between_peers", it.between_peers},
                  {"in_time", it.in_time},
                  {"resolution", it.resolution},
                  {"used", it.limit}};
  out["distance"] = it.distance();
  out["share"] = it.share;
  out["lasting"] = it.lasting;
  out["since"] = time(it.since_ns);
  out["until"] = time(it.until_ns);
  out["from_begin"] = it.from_begin;
  out["to_end"] = it.to_end;
  return out;
}

Json differences(const HostResult& host) {
  Json out = Json::array();
  for (const auto& one : host.differences) out.push_back(difference(one));
  return out;
}

Json facts(const HostResult& host) {
  Json out = Json::array();
  for (const auto& fact : host.facts) {
    out.push_back({{"subject", fact.subject},
                   {"observed", fact.observed},
                   {"usual", fact.usual},
                   {"usual_hosts", fact.usual_hosts}});
  }
  return out;
}

Json patterns(const HostResult& host) {
  Json out = Json::array();
  for (const auto& one : host.patterns) {
    Json pattern = report::described(*one.pattern);
    pattern["channels"] = one.channels;
    out.push_back(std::move(pattern));
  }
  return out;
}

Json host(const HostResult& it) {
  return {{"name", it.recorded.name},
          {"begin", time(it.recorded.begin_ns)},
          {"end", time(it.recorded.end_ns)},
          {"interval_ns", it.recorded.interval_ns},
          {"score", it.score},
          {"patterns", patterns(it)},
          {"differences", differences(it)},
          {"facts", facts(it)}};
}

Json hosts(const Comparison& comparison) {
  Json out = Json::array();
  for (const auto place : comparison.ranking) out.push_back(host(comparison.hosts[place]));
  return out;
}

Json alike(const Comparison& comparison) {
  Json out = Json::array();
  for (const auto& one : comparison.alike) {
    Json row = quantity_json(one.quantity);
    row["unit"] = one.quantity.unit;
    row["median"] = one.median;
    row["low"] = one.low;
    row["high"] = one.high;
    row["share"] = nullptr;
    if (one.share) {
      row["share"] = {{"of", one.share->of},
                      {"median", one.share->median},
                      {"low", one.share->low},
                      {"high", one.share->high}};
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json lacking(const Comparison& comparison) {
  Json out = Json::array();
  for (const auto& one : comparison.lacking) {
    Json names = Json::array();
    for (std::size_t i = 0; i < one.has.size(); ++i) {
      if (one.has[i]) names.push_back(comparison.hosts[i].recorded.name);
    }
    out.push_back({{"metric", one.metric}, {"hosts", std::move(names)}});
  }
  return out;
}

}  // namespace

Json quantity_json(const Quantity& it) {
  return {{"channel", it.channel()},
          {"metric", it.metric},
          {"of", to_string(it.fold)},
          {"label", it.phrase()},
          {"subsystem", model::to_string(it.subsystem)}};
}

std::string to_json(const Comparison& it) {
  const Json out = {
      {"schema", "reveal.compare"},
      {"schema_version", kSchemaVersion},
      {"begin", time(it.grid.begin_ns)},
      {"end", time(it.grid.end_ns())},
      {"window_ns", it.grid.bucket_ns * static_cast<std::int64_t>(kBucketsInWindow)},
      {"stride_ns", it.grid.bucket_ns},
      {"windows", it.grid.windows()},
      {"quantities", it.quantities},
      {"constant", it.constant},
      {"outlier_host",
       it.outlier_host ? Json(it.hosts[*it.outlier_host].recorded.name) : Json(nullptr)},
      {"hosts", hosts(it)},
      {"alike_errors", alike(it)},
      {"facts_compared", it.facts_compared},
      {"scattered_facts", it.scattered_facts},
      {"only_some_have", lacking(it)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::fleet
