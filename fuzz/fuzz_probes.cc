// Fuzzes what users' own programs say of themselves: the first byte chooses Prometheus' text ('e')
// or StatsD's datagram ('d'). What is read must be whole: names are names, instances cannot be
// broken, values are numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "probes/exposition.h"
#include "probes/instance.h"
#include "probes/statsd.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <typename Sample>
void require_whole(const Sample& sample) {
  using reveal::probes::is_metric_name;
  require(is_metric_name(sample.metric));
  require(sample.instance.size() <= reveal::probes::kLongestInstance);
  require(sample.instance.find_first_of("\n\"{}") == std::string_view::npos);
  require(std::isfinite(sample.value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'e') {
    const auto read = reveal::probes::read_exposition(text);
    require(read.samples.size() <= reveal::probes::kMostSamples);
    require(read.first_refusal.empty() == (read.refused == 0));
    for (const auto& sample : read.samples) require_whole(sample);
  } else {
    reveal::probes::Datagram datagram;
    reveal::probes::read_datagram(text, datagram);
    require((datagram.refusal == nullptr) == (datagram.refused == 0));
    for (const auto& sample : datagram.samples) require_whole(sample);
  }
  return 0;
}
