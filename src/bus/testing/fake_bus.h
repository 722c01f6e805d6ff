// A broker in memory, for tests of who publishes and who subscribes: it keeps all messages, one of
// each key, and can be away. Not thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bus/publisher.h"
#include "bus/send_queue.h"
#include "bus/subscriber.h"

namespace reveal::bus {

class FakeBroker {
 public:
  std::vector<Incoming> kept;
  bool is_away = false;
  bool has_no_past = false;  // it has no stream for what is over

  // Returns false if it has one with that key.
  bool store(const Outgoing& message) {
    if (!message.key.empty() && !keys_.insert(message.key).second) return false;
    kept.push_back({message.subject, message.payload, kept.size() + 1, 0});
    return true;
  }

 private:
  std::set<std::string> keys_;
};

class FakePublisher : public Publisher {
 public:
  explicit FakePublisher(FakeBroker& broker) : broker_(broker) {}

  // As with a broker: while it is away the latest messages wait; once it is back, deliver() sends
  // those with keys and lets the others go.
  bool publish(Outgoing message) override {
    const auto taken = queue_.push(std::move(message));
    if (taken == SendQueue::Taken::kNotTaken) return false;
    ++counts_.taken;
    if (taken == SendQueue::Taken::kTakenForAnother) ++counts_.let_go;
    if (broker_.is_away) {
      was_away_ = true;
    } else {
      deliver();
    }
    return true;
  }
  void deliver() {
    if (std::exchange(was_away_, false)) counts_.let_go += queue_.drop_keyless();
    while (auto message = queue_.pop()) {
      if (message->of_the_past && broker_.has_no_past) {
        ++counts_.given_back;
        outcomes_.push_back({message->key, false});
        continue;
      }
      ++counts_.acknowledged;
      if (!broker_.store(*message)) ++counts_.doubles;
      const auto& name = message->key.empty() ? message->name : message->key;
      if (!name.empty()) outcomes_.push_back({name, true});
    }
  }
  std::vector<Outcome> take_outcomes() override { return std::exchange(outcomes_, {}); }
  PublisherCounts counts() const override {
    auto out = counts_;
    out.waiting = queue_.size();
    return out;
  }
  std::string trouble() const override { return broker_.is_away ? "the broker is away" : ""; }

 private:
  FakeBroker& broker_;
  SendQueue queue_;
  PublisherCounts counts_;
  std::vector<Outcome> outcomes_;
  bool was_away_ = false;
};

class FakeSubscriber : public Subscriber {
 public:
  explicit FakeSubscriber(const FakeBroker& broker) : broker_(broker) {}

  std::vector<Incoming> take(std::chrono::milliseconds) override {
    std::vector<Incoming> out;
    while (!broker_.is_away && next_ < broker_.kept.size() && out.size() < kMaxAtOnce) {
      out.push_back(broker_.kept[next_++]);
      out.back().pending = broker_.kept.size() - next_;
    }
    return out;
  }
  std::string trouble() const override { return broker_.is_away ? "the broker is away" : ""; }

 private:
  const FakeBroker& broker_;
  std::size_t next_ = 0;
};

}  // namespace reveal::bus
