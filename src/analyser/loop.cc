#include "analyser/loop.h"

#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using std::chrono::milliseconds;

constexpr milliseconds kRound{100};
constexpr milliseconds kFactsRound{500};
// The fleet is asked for what can be judged when messages have moved on by so much.
constexpr std::int64_t kStep_ns = kSecond_ns / 20;
constexpr std::int64_t kNoticeEvery_ns = 60 * kSecond_ns;

std::string two_hosts(const peers::StandingNews& news) {
  const auto name = peers::on_one_line(news.name);
  const auto called =
      news.other_name.empty()
          ? fmt::format("one is called {}", name)
          : fmt::format("called {} and {}", peers::on_one_line(news.other_name), name);
  return fmt::format(
      "two hosts have the id {} ({}): neither is judged; remove state/identity on one of them and "
      "reload its agent",
      news.host, called);
}

}  // namespace

base::Result<void> Loop::round() {
  if (!has_facts_) has_facts_ = has_all_facts();
  if (has_facts_) {
    take(*from_.facts, milliseconds(0));
    take(*from_.events, milliseconds(0));
    take_levels();
    take_late();
  }
  return tell();
}

// What is refused the fleet counts, and notice_refused() tells.
std::vector<bus::Incoming> Loop::take(bus::Subscriber& from, milliseconds patience) {
  auto messages = from.take(patience);
  for (const auto& message : messages) {
    static_cast<void>(fleet_.take({message.subject, message.payload, message.stored_ns}));
  }
  return messages;
}

// Hosts tell their facts all the time, so there is no end to wait for but that of what was there.
bool Loop::has_all_facts() {
  const auto messages = take(*from_.facts, kFactsRound);
  if (!from_.facts->trouble().empty()) return false;
  const auto now_ns = clock_();
  if (!facts_since_ns_) facts_since_ns_ = now_ns;
  if (messages.empty() || messages.back().pending == 0) return true;
  return now_ns - *facts_since_ns_ > kLongestFacts_ns;
}

void Loop::take_levels() {
  const auto messages = from_.levels->take(kRound);
  const auto steady_ns = clock_();
  for (const auto& message : messages) {
    stream_.take(message.stored_ns, message.pending, steady_ns);
    static_cast<void>(fleet_.take({message.subject, message.payload, message.stored_ns}));
    if (message.stored_ns - advanced_ns_ >= kStep_ns) advance(message.stored_ns);
  }
  // Seconds must be over, too, when nobody speaks; but not because the broker is away.
  if (!messages.empty() || !from_.levels->trouble().empty()) return;
  if (const auto now_ns = stream_.now_ns(steady_ns)) advance(*now_ns);
}

// What is of now goes before, and nothing is taken that the database could not keep.
void Loop::take_late() {
  if (!from_.late || stream_.is_late() || !from_.levels->trouble().empty()) return;
  if (!teller_.has_room_for_late()) return;
  take(*from_.late, milliseconds(0));
  notice_trouble_of_late();
}

void Loop::advance(std::int64_t to_ns) {
  if (to_ns <= advanced_ns_) return;
  advanced_ns_ = to_ns;
  if (stream_.is_late() || !on_time_since_ns_) on_time_since_ns_ = clock_();
  fleet_.advance(to_ns, stream_.is_late());
  time_judged();
}

void Loop::time_judged() {
  has_caught_up_ = has_caught_up_ || !stream_.is_late();
  const auto judged = fleet_.take_judged();
  const auto now_ns = stream_.broker_ns(clock_());
  if (!has_caught_up_ || !now_ns) return;
  for (const auto& one : judged) {
    const double after_s = static_cast<double>(*now_ns - one.end_ns) / 1e9;
    for (std::size_t i = 0; i < one.hosts; ++i) judged_after_s_.add(after_s);
  }
}

Loop::Situation Loop::situation() const {
  return {.has_facts = has_facts_,
          .trouble = (has_facts_ ? from_.levels : from_.facts)->trouble(),
          .is_late = stream_.is_late(),
          .time_ns = advanced_ns_};
}

base::Result<void> Loop::tell() {
  notice_trouble();
  notice_refused();
  if (const auto line = lag_.take(stream_.is_late(), clock_())) output_.notice(*line);
  for (const auto& one : fleet_.take_standings()) notice_standing(one);
  return teller_.round(fleet_, std::exchange(standings_, {}),
                       {.steady_ns = clock_(),
                        .time_ns = advanced_ns_,
                        .hears = has_facts_ && from_.levels->trouble().empty(),
                        .is_late = stream_.is_late(),
                        .on_time_since_ns = on_time_since_ns_});
}

void Loop::notice_trouble() {
  const auto trouble = (has_facts_ ? from_.levels : from_.facts)->trouble();
  const auto now_ns = clock_();
  const bool is_first = noticed_ns_ == 0;
  if (trouble == trouble_ ||
      (!trouble.empty() && !is_first && now_ns - noticed_ns_ < kNoticeEvery_ns)) {
    return;
  }
  trouble_ = trouble;
  noticed_ns_ = now_ns;
  output_.notice(trouble.empty() ? std::string("messages come from the broker")
                                 : "no messages: " + trouble);
}

void Loop::notice_trouble_of_late() {
  const auto trouble = from_.late->trouble();
  const auto now_ns = clock_();
  const bool is_soon = late_noticed_ns_ > 0 && now_ns - late_noticed_ns_ < kNoticeEvery_ns;
  if (trouble == late_trouble_ || (!trouble.empty() && is_soon)) return;
  late_trouble_ = trouble;
  late_noticed_ns_ = now_ns;
  output_.notice(trouble.empty() ? std::string("late levels come from the broker")
                                 : "no late levels: " + trouble);
}

void Loop::notice_refused() {
  const auto refused = fleet_.counts().refused;
  const auto now_ns = clock_();
  if (refused == refused_ || (refused_ > 0 && now_ns - refused_ns_ < kNoticeEvery_ns)) return;
  const auto more = refused - std::exchange(refused_, refused);
  refused_ns_ = now_ns;
  output_.notice(fmt::format("{} {} refused, the last one of {}", more,
                             more == 1 ? "message was" : "messages were",
                             peers::on_one_line(fleet_.last_refused())));
}

void Loop::notice_standing(const peers::StandingNews& news) {
  standings_.push_back(news);
  switch (news.standing) {
    case peers::Standing::kDoubled:
      output_.notice(two_hosts(news));
      break;
    case peers::Standing::kClockOff:
      output_.notice(fmt::format("the clock of {} is off by more than a second: it is not judged",
                                 peers::on_one_line(news.name)));
      break;
    case peers::Standing::kOtherBucket:
      output_.notice(fmt::format("{} tells other levels than those of seconds: it is not judged",
                                 peers::on_one_line(news.name)));
      break;
    default:
      break;
  }
}

}  // namespace reveal::analyser
