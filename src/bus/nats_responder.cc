#include "bus/nats_responder.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

namespace reveal::bus {
namespace {

// That the library holds; who asks more often is told nothing, and asks again.
constexpr int kMaxPending = 64;
constexpr int kMaxPendingBytes = 1024 * 1024;

}  // namespace

NatsResponder::NatsResponder(BrokerOptions broker, std::string subject)
    : broker_(std::move(broker)),
      subject_(std::move(subject)),
      backoff_(std::random_device{}(), broker_.first_pause, broker_.longest_pause) {}

base::Result<std::unique_ptr<NatsResponder>> NatsResponder::make(BrokerOptions broker,
                                                                 std::string subject) {
  if (const auto checked = check(broker); !checked) return base::pass(checked);
  if (subject.empty()) {
    return base::fail(base::ErrorKind::kUsage, "a subscription without a subject");
  }
  return std::unique_ptr<NatsResponder>(new NatsResponder(std::move(broker), std::move(subject)));
}

NatsResponder::~NatsResponder() {
  unsubscribe();
}

void NatsResponder::unsubscribe() {
  if (subscription_ != nullptr) {
    connection_->close();
    connection_->api().subscription_destroy(std::exchange(subscription_, nullptr));
  }
  connection_.reset();
}

base::Result<void> NatsResponder::subscribe() {
  auto opened = Connection::open(broker_);
  if (!opened) return base::pass(opened);
  connection_ = std::move(*opened);
  const Api& api = connection_->api();
  if (const auto status = api.subscribe_core(&subscription_, connection_->get(), subject_.c_str());
      status != NATS_OK) {
    return nats_failure(api, status, "no requests can be received", subject_);
  }
  api.set_pending_limits(subscription_, kMaxPending, kMaxPendingBytes);
  if (const auto status = api.flush(connection_->get(), broker_.timeout.count());
      status != NATS_OK) {
    return nats_failure(api, status, "the broker does not answer", broker_.url);
  }
  // The broker says aside that a subject is not allowed.
  if (const auto said = connection_->last_error(); !said.empty()) {
    return base::fail(base::ErrorKind::kPermission,
                      "the broker does not hand over what the fleet asks: " + said, subject_,
                      "docs/how_to/fleet.md has what it must allow");
  }
  return {};
}

void NatsResponder::lose(std::string trouble) {
  trouble_ = std::move(trouble);
  unsubscribe();
  pause_until_ = Clock::now() + backoff_.failed();
}

bool NatsResponder::is_ready(std::chrono::milliseconds patience) {
  if (subscription_ != nullptr && !connection_->is_open()) {
    const auto said = connection_->last_error();
    lose("the connection to the broker was lost" + (said.empty() ? said : ": " + said));
  }
  if (subscription_ != nullptr) return true;
  const auto now = Clock::now();
  if (now < pause_until_) {
    std::this_thread::sleep_for(std::min<Clock::duration>(pause_until_ - now, patience));
    if (Clock::now() < pause_until_) return false;
  }
  if (const auto subscribed = subscribe(); !subscribed) {
    lose(subscribed.error().message());
    return false;
  }
  trouble_.clear();
  return true;
}

std::optional<Request> NatsResponder::take(std::chrono::milliseconds patience) {
  if (!is_ready(patience)) return std::nullopt;
  const Api& api = connection_->api();
  natsMsg* message = nullptr;
  const auto status = api.next_message(&message, subscription_, patience.count());
  if (status == NATS_SLOW_CONSUMER || status == NATS_TIMEOUT) return std::nullopt;
  if (status != NATS_OK) {
    lose(std::string("no requests from the broker: ") + api.status_text(status));
    return std::nullopt;
  }
  backoff_.succeeded();
  Request out;
  const char* reply_to = api.message_reply(message);
  if (reply_to != nullptr) out.reply_to = reply_to;
  const auto* data = reinterpret_cast<const std::uint8_t*>(api.message_data(message));
  out.payload.assign(data, data + api.message_data_length(message));
  api.message_destroy(message);
  return out.reply_to.empty() ? std::nullopt : std::optional(std::move(out));
}

base::Result<void> NatsResponder::reply(const std::string& reply_to, base::ByteView message) {
  if (connection_ == nullptr) {
    return base::fail(base::ErrorKind::kAway, "the broker is not there", broker_.url);
  }
  const Api& api = connection_->api();
  const auto status = api.publish(connection_->get(), reply_to.c_str(), message.data(),
                                  static_cast<int>(message.size()));
  if (status == NATS_OK) return {};
  return nats_failure(api, status, "a reply cannot be sent", broker_.url);
}

}  // namespace reveal::bus
