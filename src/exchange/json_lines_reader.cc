#include <limits>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/json_lines.h"
#include "exchange/metadata.h"
#include "exchange/note_json.h"
#include "exchange/number_text.h"
#include "exchange/text_lines.h"
#include "exchange/tick_order.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using model::ChannelId;
using model::Frame;
using model::Validity;
using nlohmann::json;

constexpr const char* kRemedy = "export it again";

std::optional<std::int64_t> time_of(const json& value) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return std::nullopt;
  }
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

// Returns a sample's bits, or nothing if the value is not one of this metric's.
std::optional<std::uint64_t> bits_of(const json& value, model::Repr repr) {
  if (repr == model::Repr::kU64) {
    if (!value.is_number_unsigned()) return std::nullopt;
    return value.get<std::uint64_t>();
  }
  if (value.is_number()) return std::bit_cast<std::uint64_t>(value.get<double>());
  if (!value.is_string()) return std::nullopt;
  return parse_sample(value.get_ref<const std::string&>(), repr);
}

class JsonLinesReader : public model::FrameSource {
 public:
  JsonLinesReader(TextLines lines, Metadata metadata)
      : lines_(std::move(lines)),
        facts_(std::move(metadata.facts)),
        channels_(std::move(metadata.channels)) {
    for (std::size_t i = 0; i < channels_.source_count(); ++i) {
      sources_.emplace(channels_.source_name(model::SourceId(i)), i);
    }
  }

  const model::RunFacts& facts() const override { return facts_; }
  const model::ChannelTable& channels() const override { return channels_; }

  Result<const Frame*> next() override {
    const auto line = lines_.next();
    if (!line) return base::pass(line);
    if (!*line) return nullptr;
    const auto root = json::parse(**line, nullptr, false);
    if (!root.is_object()) return broken("is no JSON object");
    if (auto read = read_frame(root); !read) return base::pass(read);
    if (const auto wrong = order_.step(frame_.sequence)) return broken(*wrong);
    return &frame_;
  }

 private:
  base::Unexpected broken(std::string what) const {
    return base::fail(ErrorKind::kCorrupt, std::move(what), lines_.where(), kRemedy);
  }

  base::Unexpected bad_member(std::string_view name, const json& value) const {
    return broken(fmt::format("{}: {} is no value of it", name,
                              value.dump(-1, ' ', false, json::error_handler_t::replace)));
  }

  static const json& member(const json& root, const char* name) {
    static const json kNone;
    const auto found = root.find(name);
    return found == root.end() ? kNone : *found;
  }

  Result<void> read_frame(const json& root) {
    frame_.bits.assign(channels_.channel_count(), 0);
    frame_.validity.assign(channels_.channel_count(), Validity::kMissing);
    if (auto done = read_tick(root); !done) return done;
    for (const auto& [name, validity] : {std::pair{"fresh", Validity::kFresh},
                                         {"stale", Validity::kStale},
                                         {"reset", Validity::kReset}}) {
      if (auto done = read_samples(member(root, name), name, validity); !done) return done;
    }
    if (auto done = read_times(member(root, "read_ns")); !done) return done;
    return read_notes(member(root, "notes"));
  }

  Result<void> read_tick(const json& root) {
    const auto wall = time_of(member(root, "time_ns"));
    if (!wall) return bad_member("time_ns", member(root, "time_ns"));
    const auto mono = time_of(member(root, "mono_ns"));
    if (!mono) return bad_member("mono_ns", member(root, "mono_ns"));
    for (const char* name : {"sequence", "cost_ns", "gap"}) {
      if (!member(root, name).is_number_unsigned()) return bad_member(name, member(root, name));
    }
    const auto gap = member(root, "gap").get<std::uint64_t>();
    if (gap > 0xFF) return bad_member("gap", member(root, "gap"));
    frame_.wall_ns = *wall;
    frame_.mono_ns = *mono;
    frame_.sequence = member(root, "sequence").get<std::uint64_t>();
    frame_.cost_ns = member(root, "cost_ns").get<std::uint64_t>();
    frame_.gap = static_cast<std::uint8_t>(gap);
    return {};
  }

  Result<void> read_samples(const json& samples, const char* group, Validity validity) {
    if (samples.is_null()) return {};
    if (!samples.is_object()) return bad_member(group, samples);
    for (const auto& [name, value] : samples.items()) {
      const auto id = channels_.find_channel(name);
      if (!id) return broken(fmt::format("{} is no channel of the first line", name));
      const auto bits = bits_of(value, channels_.metric(*id).repr);
      if (!bits) return bad_member(name, value);
      frame_.bits[id->index()] = *bits;
      frame_.validity[id->index()] = validity;
    }
    return {};
  }

  Result<void> read_times(const json& times) {
    frame_.read_ns.clear();
    if (times.is_null()) return {};
    if (!times.is_object()) return bad_member("read_ns", times);
    frame_.read_ns.resize(channels_.source_count(), frame_.mono_ns);
    for (const auto& [name, value] : times.items()) {
      const auto source = sources_.find(name);
      const auto time = time_of(value);
      if (source == sources_.end() || !time) return bad_member("read_ns", times);
      frame_.read_ns[source->second] = *time;
    }
    return {};
  }

  Result<void> read_notes(const json& notes) {
    frame_.notes.clear();
    if (notes.is_null()) return {};
    if (!notes.is_array()) return bad_member("notes", notes);
    for (const auto& entry : notes) {
      auto note = note_from_json(entry);
      if (!note) return bad_member("notes", entry);
      frame_.notes.push_back(std::move(*note));
    }
    return {};
  }

  TextLines lines_;
  model::RunFacts facts_;
  model::ChannelTable channels_;
  std::map<std::string, std::size_t, std::less<>> sources_;
  Frame frame_;
  TickOrder order_;
};

}  // namespace

Result<std::unique_ptr<model::FrameSource>> open_own_json_lines(const std::filesystem::path& path) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  TextLines lines(std::move(*input));
  const auto first = lines.next();
  if (!first) return base::pass(first);
  if (!*first || !looks_like_metadata(**first)) return nullptr;
  auto metadata = metadata_from_json(**first, lines.where());
  if (!metadata) return base::pass(metadata);
  return std::make_unique<JsonLinesReader>(std::move(lines), std::move(*metadata));
}

}  // namespace reveal::exchange
