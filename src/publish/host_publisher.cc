#include "publish/host_publisher.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/fnv.h"
#include "wire/facts.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

// To make the facts costs more than to look at the clock.
constexpr std::int64_t kBetweenFacts_ns = 5'000'000'000;

std::uint32_t microseconds(double seconds) {
  const double us = std::ceil(std::abs(seconds) * 1e6);
  // NaN is not below.
  if (!(us < wire::kUnknownClockError)) return wire::kUnknownClockError;
  return static_cast<std::uint32_t>(us);
}

template <typename Small, typename Large>
Small at_most(Large value) {
  constexpr auto kMost = static_cast<Large>(std::numeric_limits<Small>::max());
  return static_cast<Small>(std::clamp(value, Large{0}, kMost));
}

std::uint64_t run_of(const fleet::LevelStream& stream) {
  return wire::run_of(stream.facts().boot_id, stream.facts().start_wall_ns);
}

// Returns the number of a bucket in the run; negative before its begin, if the clock was set back.
std::int64_t number_of(const fleet::LevelStream& stream, std::int64_t begin_ns) {
  const auto length = stream.bucket_ns();
  return begin_ns / length - stream.facts().start_wall_ns / length;
}

}  // namespace

HostPublisher::HostPublisher(HostPublisherOptions options, bus::Publisher& publisher)
    : options_(std::move(options)),
      publisher_(publisher),
      phase_(base::fnv1a(options_.host)),
      encoder_(phase_),
      dictionary_(subject(wire::Type::kDictionary), options_.host + ":dict", phase_),
      facts_(subject(wire::Type::kFacts), options_.host + ":fact", phase_ + 1),
      events_(options_.events_file) {}

std::string HostPublisher::subject(wire::Type type) const {
  return wire::subject_of({options_.labels.site, options_.host, type});
}

wire::Head HostPublisher::head(const fleet::LevelStream& stream, std::int64_t time_ns) const {
  return {.clock_error_us = clock_error_us_, .run = run_of(stream), .time_ns = time_ns};
}

const std::string& HostPublisher::trouble() const {
  for (const auto* one : {&levels_trouble_, &facts_trouble_}) {
    if (!one->empty()) return *one;
  }
  return events_trouble_;
}

wire::LevelsHead HostPublisher::levels_head(const fleet::LevelStream& stream,
                                            const fleet::LevelBucket& bucket,
                                            const std::optional<HostVerdict>& verdict) const {
  wire::LevelsHead out;
  out.head = head(stream, bucket.begin_ns);
  out.sequence = static_cast<std::uint64_t>(number_of(stream, bucket.begin_ns));
  out.dictionary = codes_.number();
  out.learning = !verdict;
  out.gap_before = bucket.gap_before;
  out.jobs_changed = bucket.jobs_changed;
  out.missing = static_cast<float>(bucket.missing);
  out.hung_sources = at_most<std::uint8_t>(bucket.hung_sources);
  if (!verdict) return out;
  out.votes = at_most<std::uint8_t>(verdict->votes);
  out.strength = static_cast<float>(std::max(verdict->strength, 0.0));
  for (std::size_t i = 0; i < out.shares.size(); ++i) {
    out.shares[i] = static_cast<float>(std::clamp(verdict->shares[i], 0.0, 1.0));
  }
  return out;
}

void HostPublisher::tell_levels(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket,
                                const std::optional<HostVerdict>& verdict, std::int64_t now_ns) {
  clock_error_us_ = microseconds(bucket.clock_error_s);
  const auto changed = codes_.take(stream, bucket);
  if (!changed) levels_trouble_ = changed.error().message();
  if (codes_.plain().empty()) return;
  dictionary_.say(codes_.plain(), true);
  // Before the levels that need it.
  dictionary_.round(now_ns, publisher_, [&](const wire::Bytes& plain) {
    wire::Bytes out;
    const auto put = wire::put_dictionary(out, head(stream, now_ns), plain);
    levels_trouble_ = put ? std::string() : put.error().message();
    return put ? out : wire::Bytes();
  });
  const bool is_late = now_ns > bucket.begin_ns + stream.bucket_ns() + kToldWithin_ns;
  if (is_late || number_of(stream, bucket.begin_ns) < 0) return;
  const auto lost = publisher_.counts().lost();
  if (std::exchange(lost_, lost) != lost) encoder_.restart();
  wire::Bytes message;
  encoder_.encode(levels_head(stream, bucket, verdict), codes_.codes(), message);
  publisher_.publish({subject(wire::Type::kLevels), std::move(message), {}});
}

void HostPublisher::say_facts(const fleet::LevelStream& stream, const model::RunFacts& latest) {
  const auto facts = facts_of(options_.labels, stream, latest);
  facts_.say(wire::plain_of(facts), false);
}

wire::Bytes HostPublisher::facts_message(const wire::Bytes& plain, const wire::Head& head) {
  wire::Bytes out;
  auto facts = wire::facts_of(plain);
  if (facts) facts->head = head;
  const auto put = facts ? wire::put_facts(out, *facts) : base::pass(facts);
  facts_trouble_ = put ? std::string() : put.error().message();
  return put ? out : wire::Bytes();
}

void HostPublisher::round(const fleet::LevelStream& stream, const model::RunFacts& latest,
                          std::span<const FindingState> findings, std::int64_t now_ns) {
  for (const auto& outcome : publisher_.take_outcomes()) {
    if (!dictionary_.take(outcome) && !facts_.take(outcome)) events_.take(outcome);
  }
  if (now_ns < facts_made_ns_ || now_ns >= facts_made_ns_ + kBetweenFacts_ns) {
    facts_made_ns_ = now_ns;
    say_facts(stream, latest);
  }
  facts_.round(now_ns, publisher_, [&](const wire::Bytes& plain) {
    return facts_message(plain, head(stream, now_ns));
  });
  events_.round(findings, {options_.host, subject(wire::Type::kEvent), head(stream, now_ns)},
                now_ns, publisher_);
  events_trouble_ = events_.take_trouble();
}

void HostPublisher::save() {
  events_.save();
  events_trouble_ = events_.take_trouble();
}

}  // namespace reveal::publish
