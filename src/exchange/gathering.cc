#include "exchange/gathering.h"

#include <bit>

#include "text/parse_number.h"

namespace reveal::exchange {

namespace {

// DCGM's blanks (dcgm_structs.h): 0x7ffffff0 and up to 15 more, the same of 64 bits, and 2^47 and
// up to 15 more for real numbers; and all bits of 32 bits. All of 64 bits may be a counter's; of a
// level they are no value either (derive/signal.h).
bool stands_for_none(const text::Number& value) {
  constexpr std::uint64_t kBlank = 0x7FFFFFF0;
  constexpr std::uint64_t kLongBlank = 0x7FFFFFFFFFFFFFF0;
  constexpr double kRealBlank = 140'737'488'355'328.0;
  constexpr double kMost = 15;
  if (value.whole && value.count >= kLongBlank) {
    return value.count <= kLongBlank + 15;
  }
  if (value.whole && value.count == 0xFFFFFFFF) return true;
  if (value.whole && value.count >= kBlank && value.count <= kBlank + 15) return true;
  if (value.real >= kRealBlank && value.real <= kRealBlank + kMost) return true;
  return !value.whole && value.real == static_cast<double>(kLongBlank);
}

}  // namespace

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
  if (stands_for_none(value)) {
    ++sentinels_;
    return;
  }
  if (!value.whole) series.make_real();
  series.times_ns.push_back(time_ns);
  series.bits.push_back(series.real ? std::bit_cast<std::uint64_t>(value.real) : value.count);
}

void Gathering::absorb(Series series) {
  const auto id = this->series({series.metric, series.instance}, series.name, series.host);
  Series& to = series_[id.index()];
  if (series.real) to.make_real();
  if (to.real) series.make_real();
  to.times_ns.insert(to.times_ns.end(), series.times_ns.begin(), series.times_ns.end());
  to.bits.insert(to.bits.end(), series.bits.begin(), series.bits.end());
}

void Gathering::absorb_remarks(const Gathering& other) {
  remarks_.insert(remarks_.end(), other.remarks_.begin(), other.remarks_.end());
  sentinels_ += other.sentinels_;
}

}  // namespace reveal::exchange
