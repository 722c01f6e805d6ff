#include "exchange/metadata.h"

#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/note_json.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "reveal.samples";
constexpr std::string_view kOpening = R"({"schema":"reveal.samples")";
constexpr const char* kRemedy = "export it again, or import it without its metadata";

struct TextMember {
  const char* name;
  std::string_view model::MetricDescriptor::*field;
};
constexpr TextMember kTexts[] = {
    {"name", &model::MetricDescriptor::name},   {"label", &model::MetricDescriptor::label},
    {"unit", &model::MetricDescriptor::unit},   {"source", &model::MetricDescriptor::source},
    {"alias", &model::MetricDescriptor::alias}, {"doc_url", &model::MetricDescriptor::doc_url},
    {"help", &model::MetricDescriptor::help},   {"collector", &model::MetricDescriptor::collector},
};

Json run_to_json(const model::RunFacts& facts) {
  Json unseen = Json::array();
  for (const auto& item : facts.unseen) {
    unseen.push_back({{"source", item.source},
                      {"reason", item.reason},
                      {"remedy", item.remedy},
                      {"metrics", item.metrics}});
  }
  return {{"host", facts.host},
          {"kernel", facts.kernel},
          {"machine", facts.machine},
          {"boot_id", facts.boot_id},
          {"reveal_version", facts.reveal_version},
          {"command", facts.command},
          {"interval_ns", facts.interval_ns},
          {"start_wall_ns", facts.start_wall_ns},
          {"cpus_online", facts.cpus_online},
          {"unseen", std::move(unseen)}};
}

Json metric_to_json(const model::MetricDescriptor& metric) {
  Json out = Json::object();
  for (const auto& text : kTexts) out[text.name] = metric.*text.field;
  out["kind"] = to_string(metric.kind);
  out["repr"] = to_string(metric.repr);
  out["subsystem"] = to_string(metric.subsystem);
  out["scope"] = to_string(metric.scope);
  out["counter_bits"] = metric.counter_bits;
  out["scale"] = metric.scale;
  out["rank"] = metric.rank;
  return out;
}

Json notes_to_json(const NotesBySequence& notes) {
  Json out = Json::array();
  for (const auto& [sequence, said] : notes) {
    for (const auto& note : said) {
      Json entry = {{"sequence", sequence}};
      entry.update(note_to_json(note));
      out.push_back(std::move(entry));
    }
  }
  return out;
}

// Takes metadata apart. Members are read by the functions get(), which remember the first that is
// absent or of another type; what they return then is of no use.
class Reader {
 public:
  explicit Reader(const std::string& where) : where_(where) {}

  base::Result<Metadata> read(const json& root) {
    Metadata out;
    if (auto known = check_version(root); !known) return base::pass(known);
    out.layout = get<std::string>(root, "layout");
    read_run(member(root, "run"), out.facts);
    for (const auto& metric : list(root, "metrics")) read_metric(metric, out.channels);
    for (const auto& channel : list(root, "channels")) read_channel(channel, out.channels);
    for (const auto& note : list(root, "notes")) read_note(note, out.notes);
    if (!wrong_.empty()) return fail(fmt::format("its member {} is invalid", wrong_));
    return out;
  }

 private:
  base::Unexpected fail(std::string what) const {
    return base::fail(ErrorKind::kCorrupt, std::move(what), where_, kRemedy);
  }

  base::Result<void> check_version(const json& root) const {
    if (!root.is_object() || root.value("schema", json()) != kSchema) {
      return fail("is not metadata that Reveal wrote");
    }
    const auto version = root.value("version", json());
    if (version == kMetadataVersion) return {};
    return base::fail(ErrorKind::kCorrupt,
                      fmt::format("metadata of version {}, this Reveal reads version {}",
                                  version.dump(), kMetadataVersion),
                      where_, "use a newer Reveal");
  }

  void note_wrong(std::string_view what) {
    if (wrong_.empty()) wrong_ = what;
  }

  const json& member(const json& object, const char* key) {
    static const json kNone;
    if (const auto found = object.find(key); found != object.end()) return *found;
    note_wrong(key);
    return kNone;
  }

  const json& list(const json& object, const char* key) {
    static const json kEmpty = json::array();
    const json& found = member(object, key);
    if (found.is_array()) return found;
    note_wrong(key);
    return kEmpty;
  }

  template <typename T>
  T get(const json& object, const char* key) {
    if (!object.is_object()) {
      note_wrong(key);
      return T{};
    }
    const json& found = member(object, key);
    bool sound = false;
    if constexpr (std::is_same_v<T, std::string>) {
      sound = found.is_string();
    } else if constexpr (std::is_floating_point_v<T>) {
      sound = found.is_number();
    } else {
      sound = fits<T>(found);
    }
    if (sound) return found.get<T>();
    note_wrong(key);
    return T{};
  }

  template <typename T>
  static bool fits(const json& number) {
    using Limits = std::numeric_limits<T>;
    if (number.is_number_unsigned()) {
      return number.get<std::uint64_t>() <= static_cast<std::uint64_t>(Limits::max());
    }
    return Limits::is_signed && number.is_number_integer() &&
           number.get<std::int64_t>() >= static_cast<std::int64_t>(Limits::min());
  }

  template <typename Enum>
  void get_word(const json& object, const char* key, Enum& out) {
    if (!model::from_string(get<std::string>(object, key), out)) note_wrong(key);
  }

  void read_run(const json& run, model::RunFacts& out) {
    out.host = get<std::string>(run, "host");
    out.kernel = get<std::string>(run, "kernel");
    out.machine = get<std::string>(run, "machine");
    out.boot_id = get<std::string>(run, "boot_id");
    out.reveal_version = get<std::string>(run, "reveal_version");
    out.interval_ns = get<std::int64_t>(run, "interval_ns");
    out.start_wall_ns = get<std::int64_t>(run, "start_wall_ns");
    out.cpus_online = get<std::uint32_t>(run, "cpus_online");
    if (out.interval_ns < 1'000 || out.interval_ns > std::int64_t{366} * 86'400 * 1'000'000'000) {
      note_wrong("interval_ns");
    }
    if (!run.is_object()) return;
    for (const auto& word : list(run, "command")) {
      if (!word.is_string()) return note_wrong("command");
      out.command.push_back(word.get<std::string>());
    }
    for (const auto& item : list(run, "unseen")) {
      out.unseen.push_back({get<std::string>(item, "source"), get<std::string>(item, "reason"),
                            get<std::string>(item, "remedy"), get<std::uint32_t>(item, "metrics")});
    }
  }

  void read_metric(const json& entry, model::ChannelTable& out) {
    model::MetricDescriptor metric;
    std::string texts[std::size(kTexts)];
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
      texts[i] = get<std::string>(entry, kTexts[i].name);
      metric.*kTexts[i].field = texts[i];
    }
    get_word(entry, "kind", metric.kind);
    get_word(entry, "repr", metric.repr);
    get_word(entry, "subsystem", metric.subsystem);
    get_word(entry, "scope", metric.scope);
    metric.counter_bits = get<std::uint8_t>(entry, "counter_bits");
    metric.scale = get<double>(entry, "scale");
    metric.rank = get<std::int16_t>(entry, "rank");
    const bool width_known = metric.counter_bits >= 1 && metric.counter_bits <= 64;
    if (!width_known) note_wrong("counter_bits");
    if (metric.name.empty() || out.find_metric(metric.name)) note_wrong("name");
    out.add_metric(metric);
  }

  void read_channel(const json& entry, model::ChannelTable& out) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_string()) {
      return note_wrong("channels");
    }
    const auto metric = out.find_metric(entry[0].get_ref<const std::string&>());
    const std::size_t number = out.channel_count();
    if (!metric ||
        out.add_channel(*metric, entry[1].get_ref<const std::string&>()).index() != number) {
      note_wrong("channels");
    }
  }

  void read_note(const json& entry, NotesBySequence& out) {
    const auto note = note_from_json(entry);
    if (!note) return note_wrong("notes");
    out[get<std::uint64_t>(entry, "sequence")].push_back(*note);
  }

  const std::string& where_;
  std::string wrong_;
};

}  // namespace

std::string to_json(std::string_view layout, const model::RunFacts& facts,
                    const model::ChannelTable& channels, const NotesBySequence& notes) {
  Json metrics = Json::array();
  for (std::size_t i = 0; i < channels.metric_count(); ++i) {
    metrics.push_back(metric_to_json(channels.metric(model::MetricId(i))));
  }
  Json columns = Json::array();
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const auto& channel = channels.channel(model::ChannelId(i));
    columns.push_back({channels.metric(channel.metric).name, channel.instance});
  }
  const Json out = {{"schema", kSchema},
                    {"version", kMetadataVersion},
                    {"layout", layout},
                    {"run", run_to_json(facts)},
                    {"metrics", std::move(metrics)},
                    {"channels", std::move(columns)},
                    {"notes", notes_to_json(notes)}};
  // The kernel names devices as it likes; what is no UTF-8 cannot be in JSON.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

base::Result<Metadata> metadata_from_json(std::string_view text, const std::string& where) {
  const auto root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return base::fail(ErrorKind::kCorrupt, "is not JSON", where, kRemedy);
  return Reader(where).read(root);
}

bool looks_like_metadata(std::string_view text) {
  return text.starts_with(kOpening);
}

std::filesystem::path metadata_path(const std::filesystem::path& file) {
  return file.string() + ".meta.json";
}

}  // namespace reveal::exchange
