#include "agent/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "derive/deriver.h"
#include "store/segment_reader.h"

namespace reveal::agent {
namespace {

using Json = nlohmann::ordered_json;

// A rate needs the sample before; the slowest sources are read every ten seconds.
constexpr std::int64_t kBefore_ns = 11'000'000'000;

struct Bucket {
  std::uint64_t count = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0;

  void take(double value) {
    ++count;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
};

struct Series {
  std::string name;
  std::optional<model::ChannelId> channel;  // once it is known
  std::vector<Bucket> buckets;
};

// Returns the names of the metrics that have to be read: those of the channels, and what these are
// computed from.
std::set<std::string> metrics_for(const std::vector<std::string>& channels) {
  std::set<std::string> out;
  for (const auto& name : channels) out.insert(name.substr(0, name.find('{')));
  const auto rows = derive::derived_metrics();
  // Inputs stand in rows above.
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (!out.contains(std::string(rows[i].descriptor.name))) continue;
    for (const auto input : rows[i].inputs) out.emplace(input);
  }
  return out;
}

class SeriesReading {
 public:
  explicit SeriesReading(const serve::SeriesQuery& query)
      : query_(query),
        width_ns_(static_cast<double>(query.to_ns - query.from_ns) /
                  static_cast<double>(query.points)) {
    for (const auto& name : query.channels) {
      series_.push_back({name, {}, std::vector<Bucket>(query.points)});
    }
  }

  void take(std::int64_t wall_ns, std::span<const double> row) {
    find_channels(row.size());
    if (wall_ns < query_.from_ns || wall_ns >= query_.to_ns) return;
    const auto place = std::min(
        static_cast<std::size_t>(static_cast<double>(wall_ns - query_.from_ns) / width_ns_),
        query_.points - 1);
    for (auto& one : series_) {
      if (!one.channel || one.channel->index() >= row.size()) continue;
      const double value = row[one.channel->index()];
      if (std::isfinite(value)) one.buckets[place].take(value);
    }
  }

  derive::Deriver& deriver() { return deriver_; }

  base::Result<std::string> json() const {
    Json out = {{"from", static_cast<double>(query_.from_ns) / 1e9},
                {"step", width_ns_ / 1e9},
                {"channels", Json::array()}};
    for (const auto& one : series_) {
      if (!one.channel) {
        return base::fail(base::ErrorKind::kUsage, "the recording has no such channel", one.name);
      }
      out["channels"].push_back(json_of(one));
    }
    return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  void find_channels(std::size_t count) {
    if (count == known_) return;
    known_ = count;
    for (auto& one : series_) {
      if (!one.channel) one.channel = deriver_.channels().find_channel(one.name);
    }
  }

  Json json_of(const Series& one) const {
    Json out = {{"name", one.name},
                {"unit", deriver_.channels().metric(*one.channel).unit},
                {"low", Json::array()},
                {"high", Json::array()},
                {"mean", Json::array()}};
    for (const auto& bucket : one.buckets) {
      const bool has = bucket.count > 0;
      out["low"].push_back(has ? Json(bucket.low) : Json());
      out["high"].push_back(has ? Json(bucket.high) : Json());
      out["mean"].push_back(has ? Json(bucket.sum / static_cast<double>(bucket.count)) : Json());
    }
    return out;
  }

  const serve::SeriesQuery& query_;
  double width_ns_;
  std::vector<Series> series_;
  derive::Deriver deriver_;
  std::size_t known_ = 0;  // channels
};

}  // namespace

base::Result<std::string> series_json(const std::filesystem::path& recording,
                                      const serve::SeriesQuery& query) {
  const auto metrics = metrics_for(query.channels);
  store::ReadOptions options;
  options.from_ns = query.from_ns - kBefore_ns;
  options.to_ns = query.to_ns;
  options.wanted = [&metrics](const model::MetricDescriptor& metric, std::string_view) {
    return metrics.contains(std::string(metric.name));
  };
  auto reader = store::SegmentReader::open(recording, std::move(options));
  if (!reader) return base::pass(reader);
  SeriesReading reading(query);
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return reading.json();
    reading.take((*frame)->wall_ns, reading.deriver().step(reader->channels(), **frame));
  }
}

}  // namespace reveal::agent
