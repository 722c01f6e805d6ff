#include "page/host_part.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "page/blobs.h"

namespace reveal::page {
namespace {

using Json = nlohmann::ordered_json;
using model::ChannelId;

constexpr int kIndexVersion = 1;
constexpr std::size_t kPage_bytes = 10'000'000;
constexpr std::size_t kPyramids_bytes = 6'000'000;
constexpr std::size_t kDetails_bytes = 3'000'000;
constexpr std::size_t kPlaceText_bytes = 40;  // of "pyramid":[1234567,1234],

Json place(const Place& place) {
  return {place.offset, place.length};
}

// The last of the channels of a table need not have been in any frame.
std::size_t channel_count(const HostReplay& replayed) {
  return replayed.channels == nullptr ? 0 : replayed.envelopes.by_channel().size();
}

// Says when a channel appeared after the run's begin, and when it fell silent before its end, by
// more than a second and ten of its steps.
void add_presence(const Envelopes::Envelope& envelope, const Envelopes& envelopes, Json& out) {
  if (envelope.samples == 0) return;
  const auto second = static_cast<std::uint64_t>(
      1'000'000'000 / std::max<std::int64_t>(envelopes.interval_ns(), 1));
  const std::uint64_t slack = second + 10 * envelope.step;
  if (envelope.first_tick > slack) out["since"] = envelope.first_tick;
  if (envelope.last_tick + slack + 1 < envelopes.ticks()) out["until"] = envelope.last_tick;
}

Json channel(const HostReplay& replayed, std::size_t index) {
  const auto& table = *replayed.channels;
  const ChannelId id(index);
  const auto& metric = table.metric(id);
  const auto& envelope = replayed.envelopes.by_channel()[index];
  Json out = {{"name", table.name(id)},
              {"metric", metric.name},
              {"instance", table.channel(id).instance},
              {"label", metric.label},
              {"subsystem", model::to_string(metric.subsystem)},
              {"unit", metric.unit}};
  if (const auto kind = replayed.kinds[index]) out["kind"] = model::to_string(*kind);
  const bool any = envelope.samples > 0;
  if (any && !envelope.moved()) out["constant"] = envelope.low;
  out["step"] = envelope.step;
  out["missing"] = envelope.missing(replayed.envelopes.frames());
  add_presence(envelope, replayed.envelopes, out);
  out["low"] = any ? Json(envelope.low) : Json(nullptr);
  out["high"] = any ? Json(envelope.high) : Json(nullptr);
  return out;
}

Json channels(const HostReplay& replayed) {
  Json out = Json::array();
  for (std::size_t i = 0; i < channel_count(replayed); ++i) out.push_back(channel(replayed, i));
  return out;
}

Json gaps(const Envelopes& envelopes) {
  Json out = Json::array();
  for (std::size_t first = 0; first < envelopes.buckets(); ++first) {
    std::size_t end = first;
    while (end < envelopes.buckets() && envelopes.frames_in(end) == 0) ++end;
    if (end > first) out.push_back({first, end - first});
    first = end;
  }
  return out;
}

Json raw_spans(const std::vector<EncodedSpan>& encoded) {
  Json out = Json::array();
  for (const auto& item : encoded) {
    out.push_back({{"channel", item.raw_span->channel_index},
                   {"first_tick", item.raw_span->first_tick},
                   {"count", item.raw_span->samples.size()},
                   {"low", item.scale.low},
                   {"high", item.scale.high},
                   {"data", place(item.place)}});
  }
  return out;
}

// Without channels, raw spans and bits, which come last.
Json heading(const ReportText& report, const Envelopes& envelopes) {
  const bool any = envelopes.frames() > 0;
  return {{"version", kIndexVersion},
          {"host", any ? envelopes.host() : report.host},
          {"begin_ns", std::to_string(any ? envelopes.begin_ns() : report.begin_ns)},
          {"interval_ns", any ? envelopes.interval_ns() : report.interval_ns},
          {"ticks", envelopes.ticks()},
          {"bucket_ticks", envelopes.bucket_ticks()},
          {"buckets", envelopes.buckets()},
          {"gaps", gaps(envelopes)}};
}

// Names need not be UTF-8; such bytes become U+FFFD.
std::string text_of(const Json& json) {
  return script_safe(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// What is left of the whole for envelopes and raw spans, in the proportion that they have there.
Budget what_remains(const Budget& budget, std::size_t others) {
  const std::size_t room = budget.whole - std::min(budget.whole, others);
  const auto share = [&](std::size_t most) {
    return std::min(
        most, static_cast<std::size_t>(static_cast<double>(room) * static_cast<double>(most) /
                                       static_cast<double>(budget.pyramids + budget.raw_spans)));
  };
  return {room, share(budget.pyramids), share(budget.raw_spans)};
}

}  // namespace

Budget budget_of_each(std::size_t hosts) {
  return {kPage_bytes / hosts, kPyramids_bytes / hosts, kDetails_bytes / hosts};
}

HostPart host_part(const ReportText& report, HostReplay& replayed, const Budget& budget) {
  Json about = channels(replayed);
  const std::size_t index_bytes = text_of(about).size() + about.size() * kPlaceText_bytes;
  const Budget left = what_remains(budget, report.compact.size() + index_bytes);
  Pyramids pyramids = encode_pyramids(replayed.envelopes, left.pyramids);
  for (std::size_t i = 0; i < about.size(); ++i) {
    if (const auto at = pyramids.places[i]) about[i]["pyramid"] = place(*at);
  }
  const auto shown = append_raw_spans(replayed.raw_spans, left.raw_spans, pyramids.blobs);
  Json index = heading(report, replayed.envelopes);
  index["channels"] = std::move(about);
  index["raw_spans"] = raw_spans(shown);
  index["bits"] = static_cast<int>(pyramids.bits);
  return {report.host, report.compact, text_of(index), std::move(pyramids.blobs)};
}

}  // namespace reveal::page
