// What the levels of a run mean: docs/wire_format.md, "Dictionary".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "wire/head.h"

namespace reveal::wire {

// How several channels of a host became one quantity.
enum class Fold : std::uint8_t { kNone, kMeanOfCores, kHighestCore, kSum, kMean };

struct Quantity {
  std::string metric;
  std::string instance;
  std::string label;
  std::string unit;                        // of its levels
  model::Kind kind = model::Kind::kGauge;  // never kStatic
  model::Subsystem subsystem = model::Subsystem::kCpu;
  model::Scope scope = model::Scope::kHost;  // never kRecorder
  Fold fold = Fold::kNone;
  std::uint16_t floor = 1;  // floor_of() the least level that is told from 0
  float least_rise = 0;     // of a saturation signal, what matters; 0: it is none

  bool operator==(const Quantity&) const = default;
};

struct Dictionary {
  std::int64_t bucket_ns = 1'000'000'000;
  std::vector<Quantity> quantities;  // in the order of the codes

  bool operator==(const Dictionary&) const = default;
};

// Returns the plain bytes of a dictionary. Fails with kUsage if it has no quantity or too many, or
// two that are the same, or what the document does not allow.
base::Result<Bytes> plain_of(const Dictionary& dictionary);

// Returns what the plain bytes of a dictionary say.
base::Result<Dictionary> dictionary_of(ByteView plain);

// Returns the number of a dictionary, by which levels refer to it.
std::uint32_t number_of(ByteView plain);

// Appends the message; `plain` is plain_of() the dictionary.
base::Result<void> put_dictionary(Bytes& out, const Head& head, ByteView plain);

// What a message has. The plain bytes tell whether two hosts have the same dictionary.
struct DictionaryMessage {
  Head head;
  Bytes plain;
  Dictionary dictionary;
};
base::Result<DictionaryMessage> read_dictionary(ByteView message);

}  // namespace reveal::wire
