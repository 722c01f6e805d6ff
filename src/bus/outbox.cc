#include "bus/outbox.h"

#include <utility>

#include <fmt/format.h>

namespace reveal::bus {
namespace {

// Returns what stands in quotes, as the broker names a subject; empty if nothing does.
std::string_view quoted(std::string_view said) {
  const auto begin = said.find('"');
  const auto end = begin == said.npos ? begin : said.find('"', begin + 1);
  return end == said.npos ? std::string_view() : said.substr(begin + 1, end - begin - 1);
}

// A subject ends with the id of the host that it is of.
std::string advice(std::string_view subject) {
  const auto host = subject.substr(subject.rfind('.') + 1);
  return fmt::format(
      "the broker forbids this user to publish {0}: let it publish \"rv1.*.*.{1}\" there, or, if "
      "{1} is another host's id, give this host its own id or user back",
      subject, host);
}

}  // namespace

bool Outbox::push(Outgoing message) {
  const std::lock_guard lock(mutex_);
  const auto taken = queue_.push(std::move(message));
  if (taken == SendQueue::Taken::kNotTaken) return false;
  ++counts_.taken;
  if (taken == SendQueue::Taken::kTakenForAnother) ++counts_.let_go;
  changed_.notify_all();
  return true;
}

std::vector<Outcome> Outbox::take_outcomes() {
  const std::lock_guard lock(mutex_);
  std::vector<Outcome> out(outcomes_.begin(), outcomes_.end());
  outcomes_.clear();
  return out;
}

PublisherCounts Outbox::counts() const {
  const std::lock_guard lock(mutex_);
  PublisherCounts out = counts_;
  out.waiting = queue_.size() + between_ + in_flight_.size();
  return out;
}

std::string Outbox::trouble() const {
  const std::lock_guard lock(mutex_);
  return forbidden_.empty() ? trouble_ : forbidden_trouble_;
}

void Outbox::forbid(std::string_view said) {
  const auto subject = quoted(said);
  const std::lock_guard lock(mutex_);
  forbidden_ = subject.empty() ? said : subject;
  forbidden_trouble_ = advice(forbidden_);
}

bool Outbox::wait_for_empty(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience,
                           [&] { return queue_.size() + between_ + in_flight_.size() == 0; });
}

void Outbox::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool Outbox::is_stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

bool Outbox::may_send() const {
  return queue_.size() > 0 && in_flight_.size() < kMaxInFlight && Clock::now() >= pause_until_;
}

std::optional<Outgoing> Outbox::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto end = Clock::now() + patience;
  while (!stopped_ && !may_send()) {
    const auto until = pause_until_ > Clock::now() ? std::min(end, pause_until_) : end;
    if (changed_.wait_until(lock, until) == std::cv_status::timeout && Clock::now() >= end) break;
  }
  if (stopped_ || !may_send()) return std::nullopt;
  ++between_;
  return queue_.pop();
}

void Outbox::begin(const void* place, Outgoing message) {
  const std::lock_guard lock(mutex_);
  --between_;
  in_flight_.insert_or_assign(place, std::move(message));
}

void Outbox::end(const void* place, Answer answer, const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  const auto found = in_flight_.find(place);
  if (found == in_flight_.end()) return;
  Outgoing message = std::move(found->second);
  in_flight_.erase(found);
  changed_.notify_all();
  // A broker may have no place for what is over. That must not keep the others waiting.
  if (message.of_the_past && (answer == Answer::kNone || answer == Answer::kRefused)) {
    return give_back(message);
  }
  settle(std::move(message), answer);
  trouble_ = trouble;
  if (answer == Answer::kNone) {
    pause();
  } else {
    backoff_.succeeded();
  }
}

void Outbox::give_back(const Outgoing& message) {
  ++counts_.given_back;
  keep_outcome(message.key, false);
}

void Outbox::settle(Outgoing message, Answer answer) {
  switch (answer) {
    case Answer::kStored:
    case Answer::kStoredBefore:
      ++counts_.acknowledged;
      if (answer == Answer::kStoredBefore) ++counts_.doubles;
      if (message.subject == forbidden_) forbidden_.clear();
      return keep_outcome(message.key.empty() ? message.name : message.key, true);
    case Answer::kRefused:
      ++counts_.refused;
      return keep_outcome(message.key, false);
    case Answer::kNone:
      break;
  }
  if (message.key.empty()) {
    ++counts_.unanswered;
  } else if (message.of_the_past) {
    give_back(message);
  } else {
    queue_.put_back(std::move(message));
  }
}

void Outbox::keep_outcome(const std::string& key, bool acknowledged) {
  if (key.empty()) return;
  outcomes_.push_back({key, acknowledged});
  if (outcomes_.size() > Publisher::kMaxOutcomes) outcomes_.pop_front();
}

// The messages that were in flight together fail together, which is one failure.
void Outbox::pause() {
  const auto now = Clock::now();
  if (now >= pause_until_) pause_until_ = now + backoff_.failed();
}

void Outbox::disconnect(const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  for (auto& [place, message] : in_flight_) settle(std::move(message), Answer::kNone);
  in_flight_.clear();
  trouble_ = trouble;
  was_away_ = true;
  pause();
  changed_.notify_all();
}

void Outbox::connect() {
  const std::lock_guard lock(mutex_);
  if (was_away_) counts_.let_go += queue_.drop_keyless();
  trouble_.clear();
  forbidden_.clear();
  changed_.notify_all();
}

void Outbox::wait_for_pause() {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, pause_until_, [&] { return stopped_; });
}

}  // namespace reveal::bus
