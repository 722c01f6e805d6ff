#include "tape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fleet/level_stream.h"
#include "publish/host_facts.h"
#include "publish/level_codes.h"
#include "store/segment_reader.h"
#include "wire/limits.h"

namespace reveal::sim {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
// Slow sources are read each ten seconds.
constexpr std::size_t kWarmUp = 12;

// A quantity is told if it has a level in most seconds.
std::vector<std::size_t> told_of(const std::vector<fleet::LevelBucket>& buckets,
                                 std::size_t quantities) {
  std::vector<std::size_t> there(quantities);
  for (const auto& bucket : buckets) {
    for (std::size_t i = 0; i < bucket.levels.size(); ++i) {
      if (std::isfinite(bucket.levels[i])) ++there[i];
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < quantities && out.size() < wire::kMaxQuantities; ++i) {
    if (2 * there[i] > buckets.size()) out.push_back(i);
  }
  return out;
}

bool touches(std::int64_t begin_ns, const std::vector<Span>& avoid) {
  return std::ranges::any_of(avoid, [&](const Span& span) {
    return begin_ns < span.second && begin_ns + kSecond_ns > span.first;
  });
}

base::Result<std::vector<fleet::LevelBucket>> play(const std::filesystem::path& recording,
                                                   fleet::LevelStream& stream) {
  auto reader = store::SegmentReader::open(recording);
  if (!reader) return base::pass(reader);
  if (auto begun = stream.begin(reader->facts()); !begun) return base::pass(begun);
  std::vector<fleet::LevelBucket> out;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return out;
    if (auto taken = stream.write(reader->channels(), **frame); !taken) return base::pass(taken);
    std::ranges::move(stream.take(), std::back_inserter(out));
  }
}

}  // namespace

std::size_t Tape::second_of(std::int64_t time_ns) const {
  const auto number = (time_ns - begin_ns) / kSecond_ns;
  const auto last = static_cast<std::int64_t>(levels.size()) - 1;
  return static_cast<std::size_t>(std::clamp(number, std::int64_t{0}, last));
}

base::Result<Tape> read_tape(const std::filesystem::path& recording,
                             const std::vector<Span>& avoid) {
  fleet::LevelStream stream(0);
  const auto buckets = play(recording, stream);
  if (!buckets) return base::pass(buckets);
  if (buckets->size() <= kWarmUp || stream.bucket_ns() != kSecond_ns) {
    return base::fail(base::ErrorKind::kTooLittle, "too short for a host of a fleet",
                      recording.string());
  }
  const auto told = told_of(*buckets, stream.quantities().size());
  const double memory = fleet::installed_memory(stream.statics());
  Tape out;
  out.begin_ns = buckets->front().begin_ns;
  for (const auto place : told) {
    out.dictionary.quantities.push_back(publish::wire_quantity(stream.quantities()[place], memory));
    out.is_share.push_back(out.dictionary.quantities.back().unit == "ratio");
  }
  for (std::size_t s = 0; s < buckets->size(); ++s) {
    const auto& bucket = (*buckets)[s];
    auto& levels = out.levels.emplace_back();
    for (const auto place : told) {
      levels.push_back(place < bucket.levels.size() ? bucket.levels[place]
                                                    : std::numeric_limits<float>::quiet_NaN());
    }
    if (s >= kWarmUp && !touches(bucket.begin_ns, avoid)) {
      out.healthy.push_back(static_cast<std::uint32_t>(s));
    }
  }
  if (out.healthy.empty()) {
    return base::fail(base::ErrorKind::kTooLittle, "has no healthy second", recording.string());
  }
  out.facts = publish::facts_of({}, stream, stream.facts());
  return out;
}

}  // namespace reveal::sim
