#include "relay/host_answers.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "access/who.h"
#include "base/thread.h"
#include "http/caller.h"
#include "http/event_stream.h"
#include "http/request.h"

namespace reveal::relay {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdle{500};
constexpr milliseconds kAtWork{10};
constexpr std::chrono::seconds kBetweenSigns{1};  // of life, while an answer is being made
constexpr std::size_t kMostMade = 4;              // at a time
constexpr const char* kBusy = "the host has enough other questions to answer";

std::int64_t now_wall_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Nobody, wherever the question came from, may do more by it than look.
http::Caller viewer() {
  http::Caller out;
  out.is_asked = true;
  out.who = {.name = "fleet", .role = access::Role::kViewer};
  return out;
}

}  // namespace

HostAnswers::HostAnswers(std::unique_ptr<bus::Responder> responder, http::Site& site)
    : responder_(std::move(responder)),
      site_(site),
      trouble_(responder_->trouble()),
      work_(kMostMade, [] {}) {}

base::Result<std::unique_ptr<HostAnswers>> HostAnswers::start(
    std::unique_ptr<bus::Responder> responder, http::Site& site) {
  std::unique_ptr<HostAnswers> out(new HostAnswers(std::move(responder), site));
  auto started = base::start_thread("what the fleet asks", [host = out.get()] { host->run(); });
  if (!started) return base::pass(started);
  out->thread_ = std::move(*started);
  return out;
}

HostAnswers::~HostAnswers() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
}

std::string HostAnswers::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

milliseconds HostAnswers::patience() const {
  return queue_.is_empty() && waiting_.empty() ? kIdle : kAtWork;
}

void HostAnswers::run() {
  while (!ends_) {
    take_question();
    while (const auto then = work_.take()) then();
    const auto now = Clock::now();
    tell_that_it_goes_on(now);
    while (const auto out = queue_.next(now)) send(out->to, out->message);
    const std::lock_guard lock(mutex_);
    trouble_ = responder_->trouble();
  }
}

void HostAnswers::take_question() {
  const auto request = responder_->take(patience());
  if (!request) return;
  const auto question = wire::read_question(request->payload);
  if (question) return answer(request->reply_to, *question);
  put(request->reply_to, http::error_response(400, question.error().message()));
}

void HostAnswers::answer(const std::string& to, const wire::Question& question) {
  if (queue_.is_full()) return refuse(to);
  auto answer = http::made([&] { return respond(question); });
  if (answer.later) return make_later(to, std::move(answer));
  put(to, answer);
}

http::Response HostAnswers::respond(const wire::Question& question) {
  auto target = http::parse_target(question.target);
  if (!target) return http::error_response(400, target.error().message());
  http::Request request;
  request.method = http::Method::kGet;
  request.target = std::move(*target);
  request.host = "localhost";
  request.last_event_id = question.last_event;
  const auto caller = viewer();
  auto answer =
      site_.answer(request, {.caller = caller, .counts = counts_, .wall_ns = now_wall_ns()});
  if (!answer.stream_after) return answer;
  return {.type = http::kEventsType, .body = http::events_so_far(*answer.stream_after, site_)};
}

void HostAnswers::make_later(const std::string& to, http::Response answer) {
  const auto number = ++begun_;
  auto job = [this, number, to, make = std::move(answer.later)]() -> http::SlowWork::Then {
    return [this, number, to, made = http::made(make)] {
      std::erase_if(waiting_, [&](const Waiting& one) { return one.number == number; });
      put(to, made);
    };
  };
  if (!work_.begin(std::move(job))) return refuse(to);
  waiting_.push_back({.number = number, .to = to, .told = Clock::now()});
}

// At once: what waits would grow by it.
void HostAnswers::refuse(const std::string& to) {
  const auto answer = http::later_again(503, kBusy);
  ++counts_.by_status[http::status_place(answer.status)];
  AnswerQueue alone;
  alone.add(to, answer);
  if (const auto out = alone.next(Clock::now())) send(out->to, out->message);
}

void HostAnswers::put(const std::string& to, const http::Response& answer) {
  ++counts_.by_status[http::status_place(answer.status)];
  ++answered_;
  queue_.add(to, answer);
}

void HostAnswers::tell_that_it_goes_on(Clock::time_point now) {
  for (auto& one : waiting_) {
    if (now - one.told < kBetweenSigns) continue;
    one.told = now;
    wire::Bytes message;
    wire::put_answer_part(message, {.is_being_made = true});
    send(one.to, message);
  }
}

// Who asked is told nothing then, and asks again.
void HostAnswers::send(const std::string& to, base::ByteView message) {
  static_cast<void>(responder_->reply(to, message));
}

}  // namespace reveal::relay
