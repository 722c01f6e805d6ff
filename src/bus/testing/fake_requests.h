// Requests in memory, for tests of who asks and of who answers. For any threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "bus/requester.h"
#include "bus/responder.h"

namespace reveal::bus {

class FakeExchange {
 public:
  // Hands a request over to who listens. Returns where the replies come; nothing if nobody listens.
  std::optional<std::string> send(const std::string& subject, base::ByteView request) {
    const std::lock_guard lock(mutex_);
    if (listening_ != subject) return std::nullopt;
    auto inbox = "inbox-" + std::to_string(++inboxes_);
    requests_.push_back({inbox, base::Bytes(request.begin(), request.end())});
    changed_.notify_all();
    return inbox;
  }
  std::optional<base::Bytes> reply_to(const std::string& inbox,
                                      std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    auto& replies = replies_[inbox];
    if (!changed_.wait_for(lock, patience, [&] { return !replies.empty(); })) return std::nullopt;
    auto out = std::move(replies.front());
    replies.pop_front();
    return out;
  }
  std::optional<Request> request(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [&] { return !requests_.empty(); })) return std::nullopt;
    auto out = std::move(requests_.front());
    requests_.pop_front();
    return out;
  }
  void reply(const std::string& inbox, base::ByteView message) {
    const std::lock_guard lock(mutex_);
    replies_[inbox].emplace_back(message.begin(), message.end());
    changed_.notify_all();
  }
  void listen(const std::string& subject) {
    const std::lock_guard lock(mutex_);
    listening_ = subject;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string listening_;
  int inboxes_ = 0;
  std::deque<Request> requests_;
  std::map<std::string, std::deque<base::Bytes>> replies_;
};

class FakeRequester : public Requester {
 public:
  explicit FakeRequester(FakeExchange& exchange) : exchange_(exchange) {}

  base::Result<void> ask(const std::string& subject, base::ByteView request,
                         std::chrono::milliseconds patience, const Taker& take) override {
    const auto inbox = exchange_.send(subject, request);
    if (!inbox) return base::fail(base::ErrorKind::kAbsent, "nobody listens there", subject);
    for (;;) {
      const auto reply = exchange_.reply_to(*inbox, patience);
      if (!reply) return base::fail(base::ErrorKind::kAway, "no reply in time", subject);
      const auto more = take(*reply);
      if (!more) return base::pass(more);
      if (!*more) return {};
    }
  }

 private:
  FakeExchange& exchange_;
};

class FakeResponder : public Responder {
 public:
  FakeResponder(FakeExchange& exchange, const std::string& subject) : exchange_(exchange) {
    exchange_.listen(subject);
  }
  ~FakeResponder() override { exchange_.listen({}); }

  std::optional<Request> take(std::chrono::milliseconds patience) override {
    return exchange_.request(patience);
  }
  base::Result<void> reply(const std::string& reply_to, base::ByteView message) override {
    exchange_.reply(reply_to, message);
    return {};
  }
  std::string trouble() const override { return {}; }

 private:
  FakeExchange& exchange_;
};

}  // namespace reveal::bus
