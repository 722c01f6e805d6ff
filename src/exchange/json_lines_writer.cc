#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "exchange/json_lines.h"
#include "exchange/json_text.h"
#include "exchange/metadata.h"
#include "exchange/note_json.h"
#include "exchange/number_text.h"
#include "exchange/text_output.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::ChannelId;
using model::Frame;
using model::Validity;
using Json = nlohmann::ordered_json;

class JsonLinesWriter : public model::FrameSink {
 public:
  JsonLinesWriter(const model::ChannelTable& channels, TextOutput output)
      : channels_(channels), output_(std::move(output)) {
    for (std::size_t i = 0; i < channels.channel_count(); ++i) {
      keys_.push_back(json_text(channels.name(ChannelId(i))));
    }
  }

  Result<void> begin(const model::RunFacts& facts) override {
    return output_.append(to_json("", facts, channels_, {}) + '\n');
  }

  Result<void> write(const model::ChannelTable&, const Frame& frame) override {
    text_ = "{";
    put("time_ns", frame.wall_ns);
    put("mono_ns", frame.mono_ns);
    put("sequence", frame.sequence);
    put("cost_ns", frame.cost_ns);
    put("gap", std::uint64_t{frame.gap});
    put_samples("fresh", frame, Validity::kFresh);
    put_samples("stale", frame, Validity::kStale);
    put_samples("reset", frame, Validity::kReset);
    put_read_times(frame);
    put_notes(frame);
    text_ += "}\n";
    return output_.append(text_);
  }

  Result<void> finish() override { return output_.finish(); }

 private:
  void key(std::string_view written_key) {
    if (text_.back() != '{') text_ += ',';
    text_.append(written_key) += ':';
  }

  void open(std::string_view name) {
    if (text_.back() != '{') text_ += ',';
    text_.append("\"").append(name).append("\":");
  }

  template <typename Value>
  void put(std::string_view name, Value value) {
    open(name);
    text::append_number(text_, value);
  }

  void put_samples(std::string_view name, const Frame& frame, Validity validity) {
    bool any = false;
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      if (frame.validity[i] != validity) continue;
      if (!std::exchange(any, true)) {
        open(name);
        text_ += '{';
      }
      key(keys_[i]);
      append_json_sample(text_, frame.bits[i], channels_.metric(ChannelId(i)).repr);
    }
    if (any) text_ += '}';
  }

  void put_read_times(const Frame& frame) {
    bool any = false;
    for (std::size_t i = 0; i < channels_.source_count(); ++i) {
      const model::SourceId source(i);
      if (frame.read_ns_of(source) == frame.mono_ns) continue;
      if (!std::exchange(any, true)) {
        open("read_ns");
        text_ += '{';
      }
      key(json_text(channels_.source_name(source)));
      text::append_number(text_, frame.read_ns_of(source));
    }
    if (any) text_ += '}';
  }

  void put_notes(const Frame& frame) {
    if (frame.notes.empty()) return;
    Json notes = Json::array();
    for (const auto& note : frame.notes) notes.push_back(note_to_json(note));
    open("notes");
    text_ += notes.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const model::ChannelTable& channels_;
  TextOutput output_;
  std::vector<std::string> keys_;  // by ChannelId, quoted
  std::string text_;
};

}  // namespace

Result<std::unique_ptr<model::FrameSink>> make_json_lines_writer(const WriterOptions& options) {
  auto output = TextOutput::create(options.path, options.path.extension() == ".gz");
  if (!output) return base::pass(output);
  return std::make_unique<JsonLinesWriter>(*options.channels, std::move(*output));
}

}  // namespace reveal::exchange
