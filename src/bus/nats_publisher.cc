#include "bus/nats_publisher.h"

#include <random>
#include <utility>

#include "base/thread.h"
#include "bus/ack_registry.h"
#include "bus/jet_stream.h"
#include "bus/library.h"

namespace reveal::bus {
namespace {

// How often a lost connection is noticed if there is nothing to send.
constexpr std::chrono::milliseconds kLook{500};

AckRegistry<Outbox>& outboxes() {
  // Never destroyed: the library's threads may answer while the program ends.
  static auto* const registry = new AckRegistry<Outbox>();
  return *registry;
}

// Returns the functions of the library, for callbacks, which come only once it is loaded.
const Api& loaded_api() {
  return **load_nats();
}

Answer answer_of(const jsPubAck* stored, const jsPubAckErr* failed) {
  if (failed == nullptr) {
    return stored != nullptr && stored->Duplicate ? Answer::kStoredBefore : Answer::kStored;
  }
  return failed->ErrCode == JSStreamMessageExceedsMaximumErr ? Answer::kRefused : Answer::kNone;
}

std::string trouble_of(const jsPubAckErr* failed) {
  if (failed == nullptr) return {};
  if (failed->Err == NATS_NO_RESPONDERS) return "the broker has no stream for these messages";
  if (failed->ErrText != nullptr) return std::string("the broker: ") + failed->ErrText;
  return std::string("the broker does not answer: ") + loaded_api().status_text(failed->Err);
}

void take_answer(jsCtx*, natsMsg* message, jsPubAck* stored, jsPubAckErr* failed, void* number) {
  if (const auto outbox = outboxes().find(number)) {
    outbox->end(message, answer_of(stored, failed), trouble_of(failed));
  }
  loaded_api().message_destroy(message);
}

// What is forbidden is not answered: this is how it is told.
void take_error(natsConnection* connection, natsSubscription*, natsStatus status, void* number) {
  if (status != NATS_NOT_PERMITTED) return;
  const char* said = nullptr;
  loaded_api().connection_last_error(connection, &said);
  const auto outbox = outboxes().find(number);
  if (outbox && said != nullptr) outbox->forbid(said);
}

// One connection, and what is sent on it.
class Line {
 public:
  static base::Result<std::unique_ptr<Line>> open(const BrokerOptions& options, void* number) {
    auto opened = JetStream::open(options,
                                  [number](jsOptions& settings) {
                                    settings.PublishAsync.MaxPending =
                                        static_cast<std::int64_t>(2 * Outbox::kMaxInFlight);
                                    settings.PublishAsync.AckHandler = &take_answer;
                                    settings.PublishAsync.AckHandlerClosure = number;
                                  },
                                  {.function = &take_error, .closure = number});
    if (!opened) return base::pass(opened);
    return std::unique_ptr<Line>(new Line(std::move(*opened), options.ack_timeout.count()));
  }

  bool is_open() const { return jet_stream_->connection().is_open(); }
  std::string last_error() const { return jet_stream_->connection().last_error(); }

  void send(Outgoing message, Outbox& outbox) {
    const Api& api = jet_stream_->api();
    natsMsg* made = nullptr;
    const auto* data = reinterpret_cast<const char*>(message.payload.data());
    auto status = api.message_create(&made, message.subject.c_str(), nullptr, data,
                                     static_cast<int>(message.payload.size()));
    const void* place = status == NATS_OK ? static_cast<const void*>(made) : this;
    const std::string key = message.key;
    // What is not sent again from here needs its payload no more.
    if (key.empty() || message.of_the_past) message.payload = {};
    outbox.begin(place, std::move(message));
    if (status == NATS_OK) {
      jsPubOptions settings;
      api.pub_options_init(&settings);
      settings.MaxWait = ack_timeout_ms_;
      if (!key.empty()) settings.MsgId = key.c_str();
      status = api.publish_async(jet_stream_->get(), &made, &settings);
    }
    if (status == NATS_OK) return;
    const bool never =
        status == NATS_MAX_PAYLOAD || status == NATS_INVALID_SUBJECT || status == NATS_INVALID_ARG;
    outbox.end(place, never ? Answer::kRefused : Answer::kNone,
               std::string("a message could not be sent: ") + api.status_text(status));
    api.message_destroy(made);
  }

 private:
  Line(std::unique_ptr<JetStream> jet_stream, std::int64_t ack_timeout_ms)
      : jet_stream_(std::move(jet_stream)), ack_timeout_ms_(ack_timeout_ms) {}

  std::unique_ptr<JetStream> jet_stream_;
  std::int64_t ack_timeout_ms_;
};

void send_while_open(Line& line, Outbox& outbox) {
  while (line.is_open() && !outbox.is_stopped()) {
    if (auto message = outbox.next(kLook)) line.send(std::move(*message), outbox);
  }
}

std::string lost(const Line& line) {
  const auto said = line.last_error();
  return "the connection to the broker was lost" + (said.empty() ? said : ": " + said);
}

void run(const BrokerOptions& options, const std::shared_ptr<Outbox>& outbox) {
  void* number = outboxes().add(outbox);
  while (!outbox->is_stopped()) {
    const auto line = Line::open(options, number);
    if (line) {
      outbox->connect();
      send_while_open(**line, *outbox);
    }
    outbox->disconnect(line ? lost(**line) : line.error().message());
    outbox->wait_for_pause();
  }
  outboxes().remove(number);
}

}  // namespace

NatsPublisher::NatsPublisher(const BrokerOptions& options)
    : outbox_(std::make_shared<Outbox>(std::random_device{}(), options.first_pause,
                                       options.longest_pause)) {}

base::Result<std::unique_ptr<NatsPublisher>> NatsPublisher::start(const BrokerOptions& options) {
  if (const auto checked = check(options); !checked) return base::pass(checked);
  std::unique_ptr<NatsPublisher> out(new NatsPublisher(options));
  auto thread = base::start_thread("the fleet's broker",
                                   [options, outbox = out->outbox_] { run(options, outbox); });
  if (!thread) return base::pass(thread);
  out->thread_ = std::move(*thread);
  return out;
}

NatsPublisher::~NatsPublisher() {
  outbox_->stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace reveal::bus
