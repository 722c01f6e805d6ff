#include "bus/streams.h"

#include <array>
#include <memory>
#include <vector>

#include "bus/jet_stream.h"
#include "bus/lease_bucket.h"
#include "bus/nats_lease_bucket.h"

namespace reveal::bus {
namespace {

constexpr std::int64_t kMinute_s = 60;
constexpr std::int64_t kHour_s = 3600;
constexpr std::int64_t kDay_s = 24 * kHour_s;
constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kLongestMaking_ms = 5'000;  // of a stream; three brokers agree first
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

constexpr std::array<std::string_view, 1> kLevels{"rv1.lvl.>"};
constexpr std::array<std::string_view, 1> kLate{"rv1.late.>"};
constexpr std::array<std::string_view, 1> kEvents{"rv1.ev.>"};
constexpr std::array<std::string_view, 2> kFacts{"rv1.fact.>", "rv1.dict.>"};

// Levels are kept to warm up an analyser that begins; the truth is in the recordings.
constexpr std::array<StreamDescriptor, 4> kStreams{{
    {.name = "RV_LVL",
     .subjects = kLevels,
     .max_age_s = 15 * kMinute_s,
     .max_bytes = 4 * kGiB,
     .max_per_subject = -1,
     .duplicates_s = 1},
    // What is told late has a stream of its own, so that it is never in the way of what is now.
    {.name = "RV_LATE",
     .subjects = kLate,
     .max_age_s = kDay_s,
     .max_bytes = 4 * kGiB,
     .max_per_subject = -1,
     .duplicates_s = 2 * kMinute_s},
    {.name = "RV_EV",
     .subjects = kEvents,
     .max_age_s = 30 * kDay_s,
     .max_bytes = kGiB,
     .max_per_subject = -1,
     .duplicates_s = 2 * kHour_s},
    {.name = "RV_FACT",
     .subjects = kFacts,
     .max_age_s = 30 * kDay_s,
     .max_bytes = kGiB,
     .max_per_subject = 1,
     .duplicates_s = 2 * kMinute_s},
}};

base::Result<void> make_stream(const JetStream& jet_stream, const StreamDescriptor& row,
                               const std::string& name, unsigned replicas) {
  const Api& api = jet_stream.api();
  jsCtx* const context = jet_stream.get();
  std::vector<std::string> subjects(row.subjects.begin(), row.subjects.end());
  std::vector<const char*> texts;
  texts.reserve(subjects.size());
  for (const auto& subject : subjects) texts.push_back(subject.c_str());
  jsStreamConfig config;
  api.stream_config_init(&config);
  config.Name = name.c_str();
  config.Subjects = texts.data();
  config.SubjectsLen = static_cast<int>(texts.size());
  config.MaxAge = row.max_age_s * kSecond_ns;
  config.MaxBytes = row.max_bytes;
  config.MaxMsgsPerSubject = row.max_per_subject;
  config.Duplicates = row.duplicates_s * kSecond_ns;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardOld;
  config.Replicas = replicas;
  jsErrCode code{};
  auto status = api.add_stream(nullptr, context, &config, nullptr, &code);
  if (code == JSStreamNameExistErr) {
    status = api.update_stream(nullptr, context, &config, nullptr, &code);
  }
  if (status == NATS_OK) return {};
  return jet_stream.connection().failure(
      status, "the stream cannot be made (" + std::to_string(code) + ")", name);
}

base::Result<void> make_lease_bucket(const JetStream& jet_stream, const std::string& name,
                                     unsigned replicas) {
  const Api& api = jet_stream.api();
  jsCtx* const context = jet_stream.get();
  kvStore* store = nullptr;
  auto status = api.key_value(&store, context, name.c_str());
  if (status == NATS_NOT_FOUND) {
    kvConfig config;
    api.store_config_init(&config);
    config.Bucket = name.c_str();
    config.TTL = LeaseBucket::kLife_ns;
    config.History = 1;
    config.StorageType = js_FileStorage;
    config.Replicas = static_cast<int>(replicas);
    status = api.create_key_value(&store, context, &config);
  }
  if (status != NATS_OK) {
    return jet_stream.connection().failure(status, "the bucket of leases cannot be made", name);
  }
  api.store_destroy(store);
  return {};
}

}  // namespace

std::span<const StreamDescriptor> stream_descriptors() {
  return kStreams;
}

std::string stream_name(std::string_view name, unsigned epoch) {
  return std::string(name) + "_e" + std::to_string(epoch);
}

base::Result<void> make_streams(const BrokerOptions& broker, unsigned epoch, unsigned replicas) {
  const auto opened = JetStream::open(broker, kLongestMaking_ms);
  if (!opened) return base::pass(opened);
  for (const auto& row : kStreams) {
    auto result = make_stream(**opened, row, stream_name(row.name, epoch), replicas);
    if (!result) return result;
  }
  return make_lease_bucket(**opened, lease_bucket_name(epoch), replicas);
}

}  // namespace reveal::bus
