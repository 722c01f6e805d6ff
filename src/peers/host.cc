#include "peers/host.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace reveal::peers {
namespace {

constexpr std::int64_t kDay_ns = 86'400 * kSecond_ns;

std::size_t place_of(std::int64_t begin_ns) {
  return static_cast<std::size_t>(begin_ns / kSecond_ns) % kKeptSeconds;
}

struct Place {
  std::uint64_t run = 0;
  std::uint64_t sequence = 0;
};

// Returns where a message belongs, also if its base is missing. REQUIRES: it is one of levels.
Place place_in(wire::ByteView message) {
  wire::Reader in(message);
  in.bytes(sizeof(std::uint64_t));  // version, type, flags and clock error
  Place out;
  out.run = in.u64();
  in.bytes(sizeof(std::int64_t));  // time
  out.sequence = in.u64();
  return out;
}

// What was made from a recording fills a store, but nobody is judged by it: it may be of an older
// run, and is no base of what comes. Fails with kCorrupt if it is malformed.
base::Result<void> check_late(wire::ByteView message) {
  wire::LevelsDecoder decoder;
  const auto taken = decoder.decode(message);
  if (!taken && taken.error().kind != base::ErrorKind::kTooLittle) return base::pass(taken);
  return {};
}

}  // namespace

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::kCompared:
      return "compared";
    case Standing::kDoubled:
      return "two_hosts";
    case Standing::kClockOff:
      return "clock_off";
    case Standing::kOtherBucket:
      return "other_bucket";
    case Standing::kSilent:
      return "silent";
    case Standing::kUnknown:
      break;
  }
  return "unknown";
}

base::Result<std::optional<std::int64_t>> Host::take_levels(wire::ByteView message,
                                                            std::int64_t stored_ns) {
  if (wire::says_late(message)) {
    if (const auto sound = check_late(message); !sound) return base::pass(sound);
    ++counts_.late;
    return std::optional<std::int64_t>();
  }
  const auto taken = decoder_.decode(message);
  if (!taken && taken.error().kind != base::ErrorKind::kTooLittle) return base::pass(taken);
  heard_ns_ = std::max(heard_ns_, stored_ns);
  // Of two hosts with one id each makes the other's messages wait: that must not hide them.
  const auto place = place_in(message);
  const auto seen = runs_.take(place.run, place.sequence, stored_ns);
  if (seen.other_run) has_sequence_ = false;
  if (seen.went_back) is_mixed_ = true;
  // What moved on one of two hosts may have been added to the codes of the other.
  if (taken && decoder_.is_key() && !runs_.is_unsure(stored_ns)) is_mixed_ = false;
  if (!taken || is_mixed_) {
    ++counts_.waiting;
    return std::optional<std::int64_t>();
  }
  const auto& head = decoder_.head();
  ++counts_.levels;
  count_sequence(head);
  const auto begin = time_of(head, stored_ns);
  if (!begin || runs_.is_unsure(stored_ns) || *begin <= newest_ns_) {
    return std::optional<std::int64_t>();
  }
  keep(*begin, head);
  return begin;
}

Host Host::without_seconds() const {
  Host out(id_, site_);
  out.facts_ = facts_;
  out.meanings_ = meanings_;
  out.findings_ = findings_;
  return out;
}

void Host::count_sequence(const wire::LevelsHead& head) {
  if (has_sequence_) {
    if (head.sequence <= last_sequence_) {
      ++counts_.repeats;
      return;
    }
    counts_.holes += head.sequence - last_sequence_ - 1;
  }
  last_sequence_ = head.sequence;
  has_sequence_ = true;
}

std::optional<std::int64_t> Host::time_of(const wire::LevelsHead& head, std::int64_t stored_ns) {
  const bool is_known = head.head.clock_error_us != wire::kUnknownClockError;
  clock_error_ns_ = is_known ? std::int64_t{head.head.clock_error_us} * 1000 : 0;
  if (clock_error_ns_ > kClockOff_ns) return std::nullopt;
  if (clock_error_ns_ > kClockByArrival_ns) {
    return (stored_ns - kSecond_ns) / kSecond_ns * kSecond_ns;
  }
  // A day more or less is as wrong as any, and cannot overflow: stored_ns is of now.
  const auto time_ns = std::clamp(head.head.time_ns, stored_ns - kDay_ns, stored_ns + kDay_ns);
  clock_.take(time_ns + kSecond_ns, stored_ns);
  if (clock_.shift_ns() != 0) ++counts_.by_arrival;
  const std::int64_t begin = (time_ns + clock_.shift_ns()) / kSecond_ns * kSecond_ns;
  // A second that has not begun yet cannot be told either.
  if (begin < stored_ns - kSecond_ns - kStale_ns || begin > stored_ns) {
    ++counts_.stale;
    return std::nullopt;
  }
  return begin;
}

void Host::keep(std::int64_t begin_ns, const wire::LevelsHead& head) {
  auto& second = seconds_[place_of(begin_ns)];
  second.begin_ns = begin_ns;
  second.dictionary = head.dictionary;
  second.votes = head.votes;
  second.is_learning = head.learning;
  second.codes.assign(decoder_.codes().begin(), decoder_.codes().end());
  newest_ns_ = begin_ns;
}

bool Host::take_facts(wire::Facts facts) {
  if (facts_ && facts_->host != facts.host) other_name_ = facts_->host;
  // When they were told is no news.
  if (facts_) facts_->head = facts.head;
  const bool is_new = !facts_ || *facts_ != facts;
  facts_ = std::move(facts);
  return is_new;
}

void Host::take_meaning(std::shared_ptr<const Meaning> meaning) {
  std::erase(meanings_, meaning);
  if (meanings_.size() == kMaxMeanings) meanings_.erase(meanings_.begin());
  meanings_.push_back(std::move(meaning));
}

bool Host::take_event(const wire::Event& event) {
  if (findings_.size() == kMaxFindings && !findings_.contains(event.finding)) {
    findings_.erase(
        std::ranges::min_element(findings_, {}, [](const auto& one) { return one.second.end_ns; }));
  }
  auto& finding = findings_[event.finding];
  if (event.revision <= finding.revision) return false;
  finding = {event.what,      event.revision, event.onset_ns, event.end_ns,
             event.subsystem, event.pattern,  event.claim};
  return true;
}

Standing Host::standing(std::int64_t now_ns) const {
  if (now_ns - heard_ns_ > kSilence_ns) return Standing::kSilent;
  if (runs_.is_doubled(now_ns)) return Standing::kDoubled;
  if (clock_error_ns_ > kClockOff_ns) return Standing::kClockOff;
  const auto means = meaning();
  if (!means || !facts_) return Standing::kUnknown;
  return means->bucket_ns == kSecond_ns ? Standing::kCompared : Standing::kOtherBucket;
}

const Second* Host::second(std::int64_t begin_ns) const {
  const auto& second = seconds_[place_of(begin_ns)];
  return begin_ns >= 0 && second.begin_ns == begin_ns ? &second : nullptr;
}

std::shared_ptr<const Meaning> Host::meaning() const {
  const auto& head = decoder_.head();
  for (const auto& meaning : meanings_) {
    if (meaning->number == head.dictionary &&
        meaning->quantities.size() == decoder_.codes().size()) {
      return meaning;
    }
  }
  return nullptr;
}

}  // namespace reveal::peers
