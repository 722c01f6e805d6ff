#include "publish/late_levels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "text/bounded_number.h"
#include "wire/levels.h"

namespace reveal::publish {
namespace {

constexpr std::int64_t kMillisecond_ns = 1'000'000;
}  // namespace

LateLevels::LateLevels(Open open, std::string host, std::string subject, std::uint64_t seed)
    : open_(std::move(open)),
      key_(std::move(host) + ":late:"),
      subject_(std::move(subject)),
      rng_(seed),
      backoff_(seed, kFirstPause, kLongestPause) {}

void LateLevels::round(OwedSeconds& owed, const Now& now, const VerdictAt& verdict_at,
                       bus::Publisher& publisher) {
  // A clock may be set back.
  const auto since_ns =
      std::max<std::int64_t>(now.now_ns - std::exchange(round_ns_, now.now_ns), 0);
  const auto most_ns = static_cast<std::int64_t>(kMaxOnTheirWay) * between_ns_;
  credit_ns_ = std::min(credit_ns_ + std::min(since_ns, most_ns), most_ns);
  if (!may_go_on(now.now_ns, publisher) || now.codes.plain().empty()) return;
  const bool is_over = !reading_ && made_.empty() && on_their_way_.empty();
  if (is_over) begin(owed, now);
  if (reading_) read(owed, now, verdict_at);
  send(publisher);
}

bool LateLevels::may_go_on(std::int64_t now_ns, const bus::Publisher& publisher) {
  if (!publisher.trouble().empty()) {
    abandon();
    was_away_ = true;
    has_failed_ = false;  // that was it
    return false;
  }
  if (std::exchange(was_away_, false)) {
    const auto spread_ns = rng_.below(static_cast<std::uint64_t>(kSpread_ns));
    not_before_ns_ = now_ns + kSettled_ns + static_cast<std::int64_t>(spread_ns);
  }
  if (std::exchange(has_failed_, false)) {
    abandon();
    pause(now_ns);
  }
  const auto longest_ns =
      std::max(kSettled_ns + kSpread_ns, kLongestPause.count() * kMillisecond_ns);
  not_before_ns_ = std::min(not_before_ns_, now_ns + longest_ns);
  return now_ns >= not_before_ns_;
}

void LateLevels::begin(OwedSeconds& owed, const Now& now) {
  const auto owed_part = owed.newest(now.now_ns - kSettled_ns, kPiece_ns);
  if (!owed_part) return;
  // Whole buckets, also where those that are owed were of another length.
  bucket_ns_ = now.bucket_ns;
  const Seconds piece{owed_part->begin_ns / bucket_ns_ * bucket_ns_,
                      (owed_part->end_ns + bucket_ns_ - 1) / bucket_ns_ * bucket_ns_};
  auto source = open_(piece.begin_ns - fleet::kWarmUp_ns, piece.end_ns);
  if (!source) return fail(owed, piece, source.error(), now.now_ns);
  Reading reading{.piece = piece,
                  .settled_ns = piece.begin_ns,
                  .source = std::move(*source),
                  .stream = fleet::LevelStream(piece.begin_ns)};
  if (auto begun = reading.stream.begin(reading.source->facts()); !begun) {
    return fail(owed, piece, begun.error(), now.now_ns);
  }
  bucket_ns_ = reading.stream.bucket_ns();
  places_ = {};
  reading_ = std::move(reading);
}

void LateLevels::read(OwedSeconds& owed, const Now& now, const VerdictAt& verdict_at) {
  const auto ended = read_some();
  if (!ended) return fail(owed, reading_->piece, ended.error(), now.now_ns);
  make(owed, now.codes, verdict_at);
  if (!*ended) return;
  owed.settle({reading_->settled_ns, reading_->piece.end_ns});
  reading_.reset();
  failures_ = 0;
  trouble_.clear();
}

base::Result<bool> LateLevels::read_some() {
  auto& stream = reading_->stream;
  auto& source = *reading_->source;
  for (std::size_t i = 0; i < kFramesARound; ++i) {
    const auto frame = source.next();
    if (!frame) return base::pass(frame);
    const bool is_end = *frame == nullptr;
    const auto taken = is_end ? stream.finish() : stream.write(source.channels(), **frame);
    if (!taken) return base::pass(taken);
    if (is_end) return true;
  }
  return false;
}

// What the recording lacks will never be told.
void LateLevels::make(OwedSeconds& owed, const LevelCodes& codes, const VerdictAt& verdict_at) {
  for (const auto& bucket : reading_->stream.take()) {
    if (bucket.begin_ns >= reading_->piece.end_ns) break;
    const bool has_number = number_of(reading_->stream, bucket.begin_ns) >= 0;
    owed.settle({reading_->settled_ns, bucket.begin_ns + (has_number ? 0 : bucket_ns_)});
    reading_->settled_ns = bucket.begin_ns + bucket_ns_;
    const Seconds seconds{bucket.begin_ns, bucket.begin_ns + bucket_ns_};
    if (owed.owes(seconds)) make_one(bucket, codes, verdict_at);
  }
}

void LateLevels::make_one(const fleet::LevelBucket& bucket, const LevelCodes& codes,
                          const VerdictAt& verdict_at) {
  const auto& stream = reading_->stream;
  find_places(codes);
  codes_.assign(places_.places.size(), wire::kAbsent);
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const auto place = places_.places[i];
    if (place && *place < bucket.levels.size()) {
      codes_[i] = wire::code_of(bucket.levels[*place], codes.floors()[i]);
    }
  }
  const auto verdict =
      verdict_at ? verdict_at(bucket.begin_ns + bucket_ns_) : std::optional<HostVerdict>();
  auto head = levels_head(stream, bucket, verdict, codes.number());
  head.late = true;
  Made made{.key = fmt::format("{}{:016x}:{}", key_, head.head.run, bucket.begin_ns),
            .message = {}};
  encoder_.restart();
  encoder_.encode(head, codes_, made.message);
  made_.push_back(std::move(made));
}

void LateLevels::find_places(const LevelCodes& codes) {
  const auto& quantities = reading_->stream.quantities();
  const bool is_known = places_.dictionary == codes.number() &&
                        places_.quantities == quantities.size() &&
                        places_.places.size() == codes.keys().size();
  if (is_known) return;
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i < quantities.size(); ++i) by_key.emplace(quantities[i].key(), i);
  places_ = {.dictionary = codes.number(), .quantities = quantities.size(), .places = {}};
  for (const auto& key : codes.keys()) {
    const auto found = by_key.find(key);
    places_.places.push_back(found == by_key.end() ? std::nullopt : std::optional(found->second));
  }
}

void LateLevels::send(bus::Publisher& publisher) {
  // The newest of a piece is made last.
  if (reading_ || made_.empty()) return;
  if (!on_their_way_.empty()) {
    between_ns_ = std::min(2 * between_ns_, kLongestBetween_ns);
    return;
  }
  between_ns_ = std::max(between_ns_ - between_ns_ / 10, kBetween_ns);
  while (!made_.empty() && on_their_way_.size() < kMaxOnTheirWay && credit_ns_ >= between_ns_) {
    auto& newest = made_.back();
    const bool is_taken = publisher.publish({.subject = subject_,
                                             .payload = newest.message,
                                             .key = newest.key,
                                             .name = {},
                                             .of_the_past = true});
    if (!is_taken) return;
    on_their_way_.insert(std::move(newest.key));
    made_.pop_back();
    credit_ns_ -= between_ns_;
  }
}

bool LateLevels::take(const bus::Outcome& outcome, OwedSeconds& owed) {
  if (!outcome.key.starts_with(key_)) return false;
  on_their_way_.erase(outcome.key);
  if (!outcome.acknowledged) {
    has_failed_ = true;
    return true;
  }
  backoff_.succeeded();
  const auto begin_ns = text::number_within<std::int64_t>(
      std::string_view(outcome.key).substr(outcome.key.rfind(':') + 1), 0,
      std::numeric_limits<std::int64_t>::max() - bucket_ns_);
  if (begin_ns) owed.settle({*begin_ns, *begin_ns + bucket_ns_});
  return true;
}

void LateLevels::fail(OwedSeconds& owed, Seconds piece, const base::Error& error,
                      std::int64_t now_ns) {
  trouble_ = error.message();
  if (++failures_ >= kMostFailures) {
    owed.settle(piece);
    failures_ = 0;
  }
  abandon();
  pause(now_ns);
}

void LateLevels::abandon() {
  reading_.reset();
  made_.clear();
  on_their_way_.clear();
}

void LateLevels::pause(std::int64_t now_ns) {
  not_before_ns_ = std::max(not_before_ns_, now_ns + backoff_.failed().count() * kMillisecond_ns);
}

std::size_t LateLevels::held_bytes() const {
  std::size_t out = 0;
  for (const auto& one : made_) out += one.message.size();
  return out;
}

}  // namespace reveal::publish
