#include "exchange/gathering.h"

#include <bit>

#include "exchange/blanks.h"
#include "text/parse_number.h"

namespace reveal::exchange {

void Series::make_real() {
  if (real) return;
  for (auto& value : bits) value = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  real = true;
}

SeriesId Gathering::series(const ChannelName& channel, std::string_view name,
                           std::string_view host) {
  const auto [place, is_new] =
      by_name_.try_emplace({channel.metric, channel.instance, std::string(host)}, series_.size());
  if (is_new) {
    Series& series = series_.emplace_back();
    series.name = name;
    series.host = host;
    series.metric = channel.metric;
    series.instance = channel.instance;
  }
  return place->second;
}

void Gathering::add(SeriesId id, std::int64_t time_ns, const text::Number& value) {
  Series& series = series_[id.index()];
  if (may_be_blank(value)) {
    series.doubtful.push_back({time_ns, value});
    return;
  }
  if (!value.whole) series.make_real();
  series.times_ns.push_back(time_ns);
  series.bits.push_back(series.real ? std::bit_cast<std::uint64_t>(value.real) : value.count);
}

void Gathering::absorb(Series series) {
  const auto id = this->series({series.metric, series.instance}, series.name, series.host);
  Series& to = series_[id.index()];
  to.said = std::move(series.said);
  if (series.real) to.make_real();
  if (to.real) series.make_real();
  to.times_ns.insert(to.times_ns.end(), series.times_ns.begin(), series.times_ns.end());
  to.bits.insert(to.bits.end(), series.bits.begin(), series.bits.end());
  to.doubtful.insert(to.doubtful.end(), series.doubtful.begin(), series.doubtful.end());
}

void Gathering::absorb_remarks(const Gathering& other) {
  remarks_.insert(remarks_.end(), other.remarks_.begin(), other.remarks_.end());
}

}  // namespace reveal::exchange
