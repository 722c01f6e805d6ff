#include "exchange/gathering.h"

#include <bit>

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
  if (!value.whole) series.make_real();
  series.times_ns.push_back(time_ns);
  series.bits.push_back(series.real ? std::bit_cast<std::uint64_t>(value.real) : value.count);
}

}  // namespace reveal::exchange
