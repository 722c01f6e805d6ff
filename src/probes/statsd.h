// StatsD's lines, as they come in datagrams, with the tags of DogStatsD. Sources:
// https://github.com/statsd/statsd/blob/master/docs/metric_types.md
// https://docs.datadoghq.com/developers/dogstatsd/datagram_shell
//
//   requests:1|c|@0.1|#route:/v1/generate
//   queue.depth:7|g
//   step:412:398|ms
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::probes {

enum class StatsdType : std::uint8_t {
  kCount,      // c: to be added
  kLevel,      // g
  kLevelStep,  // g with a sign: to be added to the level
  kTiming,     // ms, h and d: one of many values
};

struct StatsdSample {
  std::string metric;    // with all that is not a letter, digit, _ or : as _
  std::string instance;  // of the tags; "" without
  StatsdType type = StatsdType::kLevel;
  double value = 0;  // finite; of a count, with the part that was not sent
};

struct Datagram {
  std::vector<StatsdSample> samples;
  std::uint64_t refused = 0;      // lines that are not understood
  const char* refusal = nullptr;  // why one of them is not
};

// Appends what the datagram has, which may be of any bytes.
void read_datagram(std::string_view text, Datagram& out);

}  // namespace reveal::probes
