#include <optional>
#include <string>
#include <utility>

#include "base/new_file.h"
#include "exchange/csv.h"
#include "exchange/csv_samples.h"
#include "exchange/metadata.h"
#include "exchange/number_text.h"
#include "exchange/text_output.h"
#include "exchange/validity_text.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Validity;

void append_tick(std::string& out, const Frame& frame) {
  text::append_number(out, frame.wall_ns);
  out += ',';
  text::append_number(out, frame.mono_ns);
  out += ',';
  text::append_number(out, frame.sequence);
  out += ',';
  text::append_number(out, frame.cost_ns);
  out += ',';
  text::append_number(out, std::uint64_t{frame.gap});
}

std::string wide_header(const ChannelTable& channels) {
  std::string out;
  for (const auto column : kWideColumns) out.append(out.empty() ? "" : ",").append(column);
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    out += ',';
    append_csv_cell(out, channels.name(ChannelId(i)));
  }
  return out + '\n';
}

std::string long_header() {
  std::string out;
  for (const auto column : kLongColumns) out.append(out.empty() ? "" : ",").append(column);
  return out + '\n';
}

void append_wide(std::string& out, const ChannelTable& channels, const Frame& frame) {
  append_tick(out, frame);
  out += ',';
  append_validity(out, frame.validity);
  out += ',';
  append_read_times(out, frame);
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    out += ',';
    if (i >= frame.bits.size() || frame.validity[i] == Validity::kMissing) continue;
    append_sample(out, frame.bits[i], channels.metric(ChannelId(i)).repr);
  }
  out += '\n';
}

std::string_view word(Validity validity) {
  switch (validity) {
    case Validity::kStale:
      return "stale";
    case Validity::kReset:
      return "reset";
    default:
      return "fresh";
  }
}

// A tick without a sample has one row without a metric, so that it is there at all.
void append_long(std::string& out, const ChannelTable& channels, const Frame& frame) {
  std::string tick;
  append_tick(tick, frame);
  const std::size_t begin = out.size();
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    if (frame.validity[i] == Validity::kMissing) continue;
    const ChannelId id(i);
    out.append(tick) += ',';
    append_csv_cell(out, channels.metric(id).name);
    out += ',';
    append_csv_cell(out, channels.channel(id).instance);
    out += ',';
    append_sample(out, frame.bits[i], channels.metric(id).repr);
    out.append(",").append(word(frame.validity[i])) += ',';
    text::append_number(out, frame.read_ns_of(channels.source(id)));
    out += '\n';
  }
  if (out.size() == begin) out.append(tick).append(",,,,,\n");
}

class CsvWriter : public model::FrameSink {
 public:
  CsvWriter(WriterOptions options, TextOutput output)
      : options_(std::move(options)), output_(std::move(output)) {}

  Result<void> begin(const model::RunFacts& facts) override {
    facts_ = facts;
    return output_.append(wide() ? wide_header(*options_.channels) : long_header());
  }

  Result<void> write(const ChannelTable&, const Frame& frame) override {
    if (!frame.notes.empty()) notes_.emplace(frame.sequence, frame.notes);
    text_.clear();
    (wide() ? append_wide : append_long)(text_, *options_.channels, frame);
    return output_.append(text_);
  }

  Result<void> finish() override {
    if (auto done = output_.finish(); !done || !output_.to_file()) return done;
    const auto layout = wide() ? "wide" : "long";
    const auto json = to_json(layout, facts_, *options_.channels, notes_) + '\n';
    return base::write_new_file(metadata_path(options_.path), json);
  }

 private:
  bool wide() const { return options_.layout == Layout::kWide; }

  WriterOptions options_;
  TextOutput output_;
  model::RunFacts facts_;
  NotesBySequence notes_;
  std::string text_;
};

Result<std::unique_ptr<model::FrameSink>> make(const WriterOptions& options, bool gzip) {
  auto output = TextOutput::create(options.path, gzip);
  if (!output) return base::pass(output);
  return std::make_unique<CsvWriter>(options, std::move(*output));
}

}  // namespace

Result<std::unique_ptr<model::FrameSink>> make_csv_writer(const WriterOptions& options) {
  return make(options, false);
}

Result<std::unique_ptr<model::FrameSink>> make_csv_gz_writer(const WriterOptions& options) {
  return make(options, true);
}

}  // namespace reveal::exchange
