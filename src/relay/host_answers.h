// A host that answers its fleet: questions that come through the broker are answered by the host's
// own site, as a GET of somebody with the role viewer is. So nothing can be changed from there, and
// what is answered is what a viewer of the host's own server gets.
//
// All of it is done on a thread of its own, what takes long on another one: who judges the host
// never waits for the broker, nor for who asks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "bus/responder.h"
#include "http/http_counts.h"
#include "http/site.h"
#include "http/slow_work.h"
#include "relay/answer_queue.h"
#include "wire/question.h"

namespace reveal::relay {

class HostAnswers {
 public:
  // Starts the thread. Fails if none can be had. REQUIRES: `site`, which nobody else asks, outlives
  // it.
  static base::Result<std::unique_ptr<HostAnswers>> start(std::unique_ptr<bus::Responder> responder,
                                                          http::Site& site);
  // Ends the thread; an answer that is being made is waited for.
  ~HostAnswers();
  HostAnswers(const HostAnswers&) = delete;
  HostAnswers& operator=(const HostAnswers&) = delete;

  // Return why nobody can ask, empty if somebody can; and how many questions were answered. From
  // any thread.
  std::string trouble() const;
  std::uint64_t answered() const { return answered_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Answers that are being made: who waits for them, and when that was told last.
  struct Waiting {
    std::uint64_t number = 0;
    std::string to;
    Clock::time_point told;
  };

  HostAnswers(std::unique_ptr<bus::Responder> responder, http::Site& site);

  void run();
  void take_question();
  void answer(const std::string& to, const wire::Question& question);
  http::Response respond(const wire::Question& question);
  void make_later(const std::string& to, http::Response answer);
  void put(const std::string& to, const http::Response& answer);
  void refuse(const std::string& to);
  void tell_that_it_goes_on(Clock::time_point now);
  void send(const std::string& to, base::ByteView message);
  std::chrono::milliseconds patience() const;

  std::unique_ptr<bus::Responder> responder_;
  http::Site& site_;
  http::HttpCounts counts_;
  AnswerQueue queue_;
  std::vector<Waiting> waiting_;
  std::uint64_t begun_ = 0;  // answers that take long
  mutable std::mutex mutex_;
  std::string trouble_;
  std::atomic<std::uint64_t> answered_ = 0;
  std::atomic<bool> ends_ = false;
  http::SlowWork work_;
  std::thread thread_;
};

}  // namespace reveal::relay
