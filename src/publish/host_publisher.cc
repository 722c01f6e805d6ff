#include "publish/host_publisher.h"

#include <limits>
#include <string_view>
#include <utility>

#include "base/fnv.h"
#include "publish/pod_owner.h"
#include "text/bounded_number.h"
#include "wire/facts.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

// To make the facts costs more than to look at the clock.
constexpr std::int64_t kBetweenFacts_ns = 5'000'000'000;
// The name of a message of levels is this and when its bucket begins.
constexpr std::string_view kLevelsName = "levels:";
// The past is told at other times than facts and dictionaries.
constexpr std::uint64_t kSeedOfPast = 2;

}  // namespace

HostPublisher::HostPublisher(HostPublisherOptions options, bus::Publisher& publisher)
    : options_(std::move(options)),
      publisher_(publisher),
      phase_(base::fnv1a(options_.host)),
      encoder_(phase_),
      dictionary_(subject(wire::Type::kDictionary), options_.host + ":dict", phase_),
      facts_(subject(wire::Type::kFacts), options_.host + ":fact", phase_ + 1),
      events_(options_.events_file) {
  if (!options_.open_past) return;
  const auto subject_of_late = wire::subject_of(
      {options_.labels.site, options_.host, wire::Type::kLevels, /*is_late=*/true});
  past_ = Past{
      .owed = OwedSeconds(options_.owed_file),
      .late = LateLevels(options_.open_past, options_.host, subject_of_late, phase_ + kSeedOfPast)};
  owed_trouble_ = past_->owed.take_trouble();
}

std::string HostPublisher::subject(wire::Type type) const {
  return wire::subject_of({options_.labels.site, options_.host, type});
}

wire::Head HostPublisher::head(const fleet::LevelStream& stream, std::int64_t time_ns) const {
  return {.clock_error_us = clock_error_us_, .run = run_of(stream), .time_ns = time_ns};
}

const std::string& HostPublisher::trouble() const {
  for (const auto* one : {&levels_trouble_, &facts_trouble_, &owed_trouble_}) {
    if (!one->empty()) return *one;
  }
  return events_trouble_;
}

void HostPublisher::tell_levels(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket,
                                const std::optional<HostVerdict>& verdict, std::int64_t now_ns) {
  clock_error_us_ = clock_error_us(bucket);
  const bool has_number = number_of(stream, bucket.begin_ns) >= 0;
  // Whatever becomes of it: only the broker's word that it has it settles it.
  if (past_ && has_number)
    past_->owed.pass({bucket.begin_ns, bucket.begin_ns + stream.bucket_ns()});
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
  if (is_late || !has_number) return;
  const auto lost = publisher_.counts().lost();
  if (std::exchange(lost_, lost) != lost) encoder_.restart();
  wire::Bytes message;
  encoder_.encode(levels_head(stream, bucket, verdict, codes_.number()), codes_.codes(), message);
  bus::Outgoing levels{subject(wire::Type::kLevels), std::move(message), {}};
  if (past_) levels.name = std::string(kLevelsName) + std::to_string(bucket.begin_ns);
  publisher_.publish(std::move(levels));
}

void HostPublisher::take_outcome(const bus::Outcome& outcome, std::int64_t bucket_ns) {
  if (dictionary_.take(outcome) || facts_.take(outcome) || !past_) {
    return;
  }
  if (past_->late.take(outcome, past_->owed)) return;
  if (!outcome.key.starts_with(kLevelsName)) return;
  const auto begin_ns =
      text::number_within<std::int64_t>(std::string_view(outcome.key).substr(kLevelsName.size()), 0,
                                        std::numeric_limits<std::int64_t>::max() - bucket_ns);
  if (begin_ns && outcome.acknowledged) past_->owed.settle({*begin_ns, *begin_ns + bucket_ns});
}

void HostPublisher::say_facts(const fleet::LevelStream& stream, const model::RunFacts& latest) {
  const auto pods = options_.pod_logs.empty() ? PodOwners() : pod_owners(options_.pod_logs);
  const auto facts = facts_of(options_.labels, stream, latest, pods);
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
                          std::span<const FindingState> findings, std::int64_t now_ns,
                          const LateLevels::VerdictAt& verdict_at) {
  for (const auto& outcome : publisher_.take_outcomes()) {
    if (!events_.take(outcome)) take_outcome(outcome, stream.bucket_ns());
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
  // The last: what is of now goes before.
  if (!past_) return;
  past_->late.round(past_->owed,
                    {.bucket_ns = stream.bucket_ns(), .codes = codes_, .now_ns = now_ns},
                    verdict_at, publisher_);
}

void HostPublisher::save() {
  events_.save();
  events_trouble_ = events_.take_trouble();
  if (!past_) return;
  past_->owed.save();
  owed_trouble_ = past_->owed.take_trouble();
}

}  // namespace reveal::publish
