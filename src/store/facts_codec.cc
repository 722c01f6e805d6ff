#include "store/facts_codec.h"

#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace reveal::store {
namespace {

using nlohmann::json;

constexpr std::int64_t kShortestInterval_ns = 1'000;
constexpr std::int64_t kLongestInterval_ns = std::int64_t{366} * 86'400 * 1'000'000'000;
constexpr std::int64_t kFarthest_ns = std::int64_t{1} << 62;  // from 1970: 146 years

void read_text(const json& object, const char* key, std::string& out) {
  const auto it = object.find(key);
  if (it != object.end() && it->is_string()) out = it->get<std::string>();
}

template <typename Integer>
void read_integer(const json& object, const char* key, Integer& out) {
  const auto it = object.find(key);
  if (it != object.end() && it->is_number_integer()) out = it->get<Integer>();
}

void read_texts(const json& object, const char* key, std::vector<std::string>& out) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array()) return;
  for (const json& item : *it) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
}

json to_json(const std::vector<model::Unseen>& unseen) {
  json out = json::array();
  for (const auto& item : unseen) {
    out.push_back({{"source", item.source}, {"reason", item.reason}, {"metrics", item.metrics}});
    if (!item.remedy.empty()) out.back()["remedy"] = item.remedy;
  }
  return out;
}

void read_unseen(const json& object, std::vector<model::Unseen>& out) {
  const auto it = object.find("unseen");
  if (it == object.end() || !it->is_array()) return;
  for (const json& item : *it) {
    if (!item.is_object()) continue;
    model::Unseen unseen;
    read_text(item, "source", unseen.source);
    read_text(item, "reason", unseen.reason);
    read_text(item, "remedy", unseen.remedy);
    read_integer(item, "metrics", unseen.metrics);
    out.push_back(std::move(unseen));
  }
}

std::optional<std::uint32_t> read_number(ByteView payload, const char* key) {
  const json object = json::parse(payload.begin(), payload.end(), nullptr, false);
  if (!object.is_object()) return std::nullopt;
  const auto number = object.find(key);
  if (number == object.end() || !number->is_number_unsigned()) return std::nullopt;
  const auto value = number->get<std::uint64_t>();
  if (value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

bool has_integer(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number_integer();
}

bool identifies_a_run(const json& object) {
  const auto host = object.find("host");
  return host != object.end() && host->is_string() && has_integer(object, "interval_ns") &&
         has_integer(object, "start_wall_ns");
}

// Everything divides by the interval, and adds multiples of it to the begin.
bool makes_sense(const model::RunFacts& facts) {
  return facts.interval_ns >= kShortestInterval_ns && facts.interval_ns <= kLongestInterval_ns &&
         facts.start_wall_ns >= -kFarthest_ns && facts.start_wall_ns <= kFarthest_ns;
}

}  // namespace

void put_facts(Bytes& out, const model::RunFacts& facts, std::uint32_t segment,
               std::uint32_t numbering) {
  json object{{"host", facts.host},
              {"kernel", facts.kernel},
              {"machine", facts.machine},
              {"boot_id", facts.boot_id},
              {"reveal_version", facts.reveal_version},
              {"command", facts.command},
              {"interval_ns", facts.interval_ns},
              {"start_wall_ns", facts.start_wall_ns},
              {"cpus_online", facts.cpus_online},
              {"segment", segment}};
  if (numbering != 0) object["numbering"] = numbering;
  if (!facts.unseen.empty()) object["unseen"] = to_json(facts.unseen);
  // An argument of CMD may hold any bytes; JSON holds only UTF-8.
  put_bytes(out, as_bytes(object.dump(-1, ' ', false, json::error_handler_t::replace)));
}

base::Result<model::RunFacts> read_facts(ByteView payload) {
  const json object = json::parse(payload.begin(), payload.end(), nullptr, false);
  if (!object.is_object() || !identifies_a_run(object)) {
    return base::fail(base::ErrorKind::kCorrupt, "invalid run facts");
  }
  model::RunFacts facts;
  read_text(object, "host", facts.host);
  read_text(object, "kernel", facts.kernel);
  read_text(object, "machine", facts.machine);
  read_text(object, "boot_id", facts.boot_id);
  read_text(object, "reveal_version", facts.reveal_version);
  read_texts(object, "command", facts.command);
  read_integer(object, "interval_ns", facts.interval_ns);
  read_integer(object, "start_wall_ns", facts.start_wall_ns);
  read_integer(object, "cpus_online", facts.cpus_online);
  read_unseen(object, facts.unseen);
  if (!makes_sense(facts)) {
    return base::fail(base::ErrorKind::kCorrupt, "run facts with an impossible interval or begin");
  }
  return facts;
}

std::optional<std::uint32_t> read_segment_number(ByteView payload) {
  return read_number(payload, "segment");
}

std::uint32_t read_numbering(ByteView payload) {
  return read_number(payload, "numbering").value_or(0);
}

bool same_run(const model::RunFacts& a, const model::RunFacts& b) {
  return a.start_wall_ns == b.start_wall_ns && a.host == b.host && a.boot_id == b.boot_id;
}

}  // namespace reveal::store
