#include "bus/nats_lease_bucket.h"

#include <algorithm>
#include <random>
#include <utility>

namespace reveal::bus {
namespace {

constexpr std::chrono::milliseconds kLongestWait{1'000};
constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{1'000};

}  // namespace

std::string lease_bucket_name(unsigned epoch) {
  return "RV_LEASE_e" + std::to_string(epoch);
}

NatsLeaseBucket::NatsLeaseBucket(BrokerOptions broker, unsigned epoch)
    : broker_(std::move(broker)),
      name_(lease_bucket_name(epoch)),
      backoff_(std::random_device{}(), kFirstPause, kLongestPause) {
  broker_.timeout = std::min(broker_.timeout, kLongestWait);
}

NatsLeaseBucket::~NatsLeaseBucket() {
  close();
}

void NatsLeaseBucket::close() {
  if (store_ != nullptr) jet_stream_->api().store_destroy(std::exchange(store_, nullptr));
  jet_stream_.reset();
}

base::Result<void> NatsLeaseBucket::connect() {
  auto opened = JetStream::open(broker_, broker_.timeout.count());
  if (!opened) return base::pass(opened);
  jet_stream_ = std::move(*opened);
  const Api& api = jet_stream_->api();
  if (const auto status = api.key_value(&store_, jet_stream_->get(), name_.c_str());
      status != NATS_OK) {
    return jet_stream_->connection().failure(status, "no leases", name_);
  }
  return {};
}

base::Result<void> NatsLeaseBucket::open() {
  if (jet_stream_ && jet_stream_->connection().is_open()) return {};
  close();
  if (Clock::now() < pause_until_) {
    return base::fail(base::ErrorKind::kIo, why_);
  }
  auto connected = connect();
  if (connected) {
    backoff_.succeeded();
    return connected;
  }
  close();
  why_ = connected.error().message();
  pause_until_ = Clock::now() + backoff_.failed();
  return connected;
}

base::Unexpected NatsLeaseBucket::failed(natsStatus status, const std::string& what) {
  return jet_stream_->connection().failure(status, what, name_);
}

base::Result<std::optional<LeaseEntry>> NatsLeaseBucket::look(const std::string& key) {
  if (auto opened = open(); !opened) return base::pass(opened);
  const Api& api = jet_stream_->api();
  kvEntry* entry = nullptr;
  const auto status = api.store_get(&entry, store_, key.c_str());
  if (status == NATS_NOT_FOUND) return std::optional<LeaseEntry>();
  if (status != NATS_OK) return failed(status, "a lease cannot be read");
  const auto* data = static_cast<const char*>(api.entry_value(entry));
  LeaseEntry out{std::string(data == nullptr ? "" : data,
                             static_cast<std::size_t>(api.entry_value_size(entry))),
                 api.entry_revision(entry)};
  api.entry_destroy(entry);
  return std::optional<LeaseEntry>(std::move(out));
}

base::Result<std::uint64_t> NatsLeaseBucket::write(const std::string& key, const std::string& value,
                                                   std::uint64_t last) {
  if (auto opened = open(); !opened) return base::pass(opened);
  const Api& api = jet_stream_->api();
  std::uint64_t revision = 0;
  const auto size = static_cast<int>(value.size());
  const auto status =
      last == 0 ? api.store_create(&revision, store_, key.c_str(), value.data(), size)
                : api.store_update(&revision, store_, key.c_str(), value.data(), size, last);
  if (status != NATS_OK) return failed(status, "a lease cannot be written");
  return revision;
}

base::Result<std::int64_t> NatsLeaseBucket::made_ns() {
  if (auto opened = open(); !opened) return base::pass(opened);
  const Api& api = jet_stream_->api();
  jsStreamInfo* info = nullptr;
  jsErrCode code{};
  const auto status =
      api.get_stream_info(&info, jet_stream_->get(), ("KV_" + name_).c_str(), nullptr, &code);
  if (status != NATS_OK) return failed(status, "nothing is known of the bucket");
  const auto out = info->Created;
  api.stream_info_destroy(info);
  return out;
}

}  // namespace reveal::bus
