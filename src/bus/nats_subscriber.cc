#include "bus/nats_subscriber.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

namespace reveal::bus {
namespace {

// Silence for so long may be that of a broker that forgot this subscriber: asking again costs
// little.
constexpr std::chrono::seconds kLongestSilence{30};
// What the library holds; beyond that it drops them, and asks again. The broker lets at most 32 MiB
// be on their way, so it is the broker that waits. Of 10,000 hosts that is less than ten seconds.
constexpr int kMaxPending = 1'000'000;
constexpr int kMaxPendingBytes = 128 * 1024 * 1024;

void set_begin(jsConsumerConfig& config, const SubscriptionOptions& options,
               std::uint64_t last_sequence) {
  config.DeliverPolicy = js_DeliverAll;
  if (last_sequence > 0) {
    config.DeliverPolicy = js_DeliverByStartSequence;
    config.OptStartSeq = last_sequence + 1;
  } else if (options.since_ns) {
    config.DeliverPolicy = js_DeliverByStartTime;
    config.OptStartTime = *options.since_ns;
  }
}

}  // namespace

NatsSubscriber::NatsSubscriber(BrokerOptions broker, SubscriptionOptions options)
    : broker_(std::move(broker)),
      options_(std::move(options)),
      backoff_(std::random_device{}(), broker_.first_pause, broker_.longest_pause) {}

base::Result<std::unique_ptr<NatsSubscriber>> NatsSubscriber::make(BrokerOptions broker,
                                                                   SubscriptionOptions options) {
  if (const auto checked = check(broker); !checked) return base::pass(checked);
  if (options.stream.empty() || options.subject.empty()) {
    return base::fail(base::ErrorKind::kUsage, "a subscription without a stream or a subject");
  }
  return std::unique_ptr<NatsSubscriber>(new NatsSubscriber(std::move(broker), std::move(options)));
}

NatsSubscriber::~NatsSubscriber() {
  unsubscribe();
}

void NatsSubscriber::unsubscribe() {
  if (subscription_ != nullptr) {
    jet_stream_->connection().close();
    jet_stream_->api().subscription_destroy(std::exchange(subscription_, nullptr));
  }
  jet_stream_.reset();
}

base::Result<void> NatsSubscriber::subscribe() {
  auto opened = JetStream::open(broker_, broker_.timeout.count());
  if (!opened) return base::pass(opened);
  jet_stream_ = std::move(*opened);
  const Api& api = jet_stream_->api();
  jsSubOptions settings;
  api.sub_options_init(&settings);
  settings.Stream = options_.stream.c_str();
  settings.Ordered = true;
  set_begin(settings.Config, options_, last_sequence_);
  jsErrCode code{};
  const auto status = api.subscribe_sync(&subscription_, jet_stream_->get(),
                                         options_.subject.c_str(), nullptr, &settings, &code);
  if (status != NATS_OK) {
    return jet_stream_->connection().failure(status, "no messages of " + options_.subject,
                                             options_.stream);
  }
  api.set_pending_limits(subscription_, kMaxPending, kMaxPendingBytes);
  heard_ = Clock::now();
  return {};
}

void NatsSubscriber::lose(std::string trouble) {
  trouble_ = std::move(trouble);
  unsubscribe();
  pause_until_ = Clock::now() + backoff_.failed();
}

bool NatsSubscriber::is_ready(std::chrono::milliseconds patience) {
  if (subscription_ != nullptr && !jet_stream_->connection().is_open()) {
    const auto said = jet_stream_->connection().last_error();
    lose("the connection to the broker was lost" + (said.empty() ? said : ": " + said));
  }
  if (subscription_ != nullptr && Clock::now() - heard_ > kLongestSilence) unsubscribe();
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

std::optional<Incoming> NatsSubscriber::next(std::chrono::milliseconds patience) {
  const Api& api = jet_stream_->api();
  natsMsg* message = nullptr;
  const auto status = api.next_message(&message, subscription_, patience.count());
  if (status == NATS_TIMEOUT) return std::nullopt;
  if (status != NATS_OK) {
    lose(std::string("no messages from the broker: ") + api.status_text(status));
    return std::nullopt;
  }
  heard_ = Clock::now();
  backoff_.succeeded();
  Incoming out;
  jsMsgMetaData* meta = nullptr;
  if (api.message_meta_data(&meta, message) == NATS_OK) {
    out.sequence = meta->Sequence.Stream;
    out.stored_ns = meta->Timestamp;
    out.pending = meta->NumPending;
    api.meta_data_destroy(meta);
  }
  out.subject = api.message_subject(message);
  const auto* data = reinterpret_cast<const std::uint8_t*>(api.message_data(message));
  out.payload.assign(data, data + api.message_data_length(message));
  api.message_destroy(message);
  return out;
}

std::vector<Incoming> NatsSubscriber::take(std::chrono::milliseconds patience) {
  std::vector<Incoming> out;
  if (!is_ready(patience)) return out;
  while (subscription_ != nullptr && out.size() < kMaxAtOnce) {
    auto message = next(out.empty() ? patience : std::chrono::milliseconds(0));
    if (!message) break;
    // The library may ask for some again.
    if (message->sequence <= last_sequence_) continue;
    last_sequence_ = message->sequence;
    out.push_back(std::move(*message));
  }
  return out;
}

}  // namespace reveal::bus
