#include "bus/nats_requester.h"

#include <random>
#include <utility>

#include "bus/inbox.h"

namespace reveal::bus {
namespace {

using base::ErrorKind;

// By then the library's thread is surely done with a subscription that ended.
constexpr std::chrono::seconds kEndedFor{30};

struct Destroy {
  const Api* api;
  void operator()(natsMsg* one) const { api->message_destroy(one); }
};
using Message = std::unique_ptr<natsMsg, Destroy>;

// Returns why there was no reply: who may not ask, or not listen, is told by the broker aside.
base::Unexpected silence(const Connection& connection, const std::string& subject) {
  const auto said = connection.last_error();
  if (said.find("ermissions") != std::string::npos) {
    return base::fail(ErrorKind::kPermission, "the broker does not let this user ask: " + said,
                      subject, "docs/how_to/fleet.md has what it must allow");
  }
  return base::fail(ErrorKind::kAway, "no reply in time", subject);
}

}  // namespace

// A subscription to replies, for as long as it lives.
class NatsRequester::Inbox {
 public:
  Inbox(NatsRequester& requester, std::shared_ptr<Connection> connection)
      : requester_(requester), connection_(std::move(connection)) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox() {
    if (subscription_ != nullptr) requester_.end(std::move(connection_), subscription_);
  }

  base::Result<void> subscribe(const std::string& subject) {
    const Api& api = connection_->api();
    const auto status = api.subscribe_core(&subscription_, connection_->get(), subject.c_str());
    if (status == NATS_OK) return {};
    return nats_failure(api, status, "no replies can be received", subject);
  }
  natsSubscription* get() const { return subscription_; }

 private:
  NatsRequester& requester_;
  std::shared_ptr<Connection> connection_;
  natsSubscription* subscription_ = nullptr;
};

NatsRequester::~NatsRequester() {
  for (const auto& one : ended_) one.connection->close();
  for (const auto& one : ended_) destroy(one);
}

void NatsRequester::destroy(const Ended& one) {
  one.connection->api().subscription_destroy(one.subscription);
}

void NatsRequester::end(std::shared_ptr<Connection> connection, natsSubscription* subscription) {
  connection->api().unsubscribe(subscription);
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  while (!ended_.empty() && now - ended_.front().at > kEndedFor) {
    destroy(ended_.front());
    ended_.pop_front();
  }
  ended_.push_back({std::move(connection), subscription, now});
}

NatsRequester::NatsRequester(BrokerOptions broker)
    : broker_(std::move(broker)),
      backoff_(std::random_device{}(), broker_.first_pause, broker_.longest_pause) {}

base::Result<std::unique_ptr<NatsRequester>> NatsRequester::make(BrokerOptions broker) {
  if (const auto checked = check(broker); !checked) return base::pass(checked);
  return std::unique_ptr<NatsRequester>(new NatsRequester(std::move(broker)));
}

base::Result<std::shared_ptr<Connection>> NatsRequester::connection() {
  const std::lock_guard lock(mutex_);
  if (connection_ && connection_->is_open()) return connection_;
  connection_.reset();
  const auto now = Clock::now();
  if (failure_ && now < pause_until_) return base::Unexpected(*failure_);
  auto opened = Connection::open(broker_);
  if (!opened) {
    failure_ = opened.error();
    pause_until_ = Clock::now() + backoff_.failed();
    return base::pass(opened);
  }
  backoff_.succeeded();
  failure_.reset();
  connection_ = std::move(*opened);
  return connection_;
}

base::Result<void> NatsRequester::ask(const std::string& subject, base::ByteView request,
                                      std::chrono::milliseconds patience, const Taker& take) {
  const auto connection = this->connection();
  if (!connection) return base::pass(connection);
  const Api& api = (*connection)->api();
  const auto subject_of_replies = new_inbox(broker_);
  Inbox inbox(*this, *connection);
  if (auto subscribed = inbox.subscribe(subject_of_replies); !subscribed) return subscribed;
  const auto sent =
      api.publish_request((*connection)->get(), subject.c_str(), subject_of_replies.c_str(),
                          request.data(), static_cast<int>(request.size()));
  if (sent != NATS_OK) return nats_failure(api, sent, "the request cannot be sent", subject);
  for (;;) {
    natsMsg* received = nullptr;
    const auto status = api.next_message(&received, inbox.get(), patience.count());
    if (status == NATS_TIMEOUT) return silence(**connection, subject);
    if (status == NATS_NO_RESPONDERS) {
      return base::fail(ErrorKind::kAbsent, "nobody listens there", subject);
    }
    if (status != NATS_OK) return nats_failure(api, status, "the replies ended", subject);
    const Message message(received, Destroy{&api});
    const auto* data = reinterpret_cast<const std::uint8_t*>(api.message_data(received));
    const auto more = take({data, static_cast<std::size_t>(api.message_data_length(received))});
    if (!more) return base::pass(more);
    if (!*more) return {};
  }
}

}  // namespace reveal::bus
