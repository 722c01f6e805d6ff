#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "exchange/csv.h"
#include "exchange/csv_samples.h"
#include "exchange/metadata.h"
#include "exchange/number_text.h"
#include "exchange/tick_order.h"
#include "exchange/validity_text.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Validity;
using Cells = CsvRecords::Cells;

constexpr std::size_t kMaxMetadataBytes = std::size_t{1} << 30;
constexpr std::size_t kTickColumns = 5;
constexpr std::size_t kValidityColumn = 5;  // of the wide layout
constexpr std::size_t kReadColumn = 6;
constexpr std::size_t kMetricColumn = 5;  // of the long layout
constexpr const char* kRemedy =
    "export it again; or, if the file is edited on purpose, remove its .meta.json and import it as "
    "another program's";

class CsvReader : public model::FrameSource {
 public:
  CsvReader(CsvRecords records, Metadata metadata)
      : records_(std::move(records)),
        facts_(std::move(metadata.facts)),
        channels_(std::move(metadata.channels)),
        notes_(std::move(metadata.notes)),
        wide_(metadata.layout == "wide") {}

  const model::RunFacts& facts() const override { return facts_; }
  const ChannelTable& channels() const override { return channels_; }

  Result<void> read_header() {
    const auto cells = records_.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr || !is_header(**cells)) {
      return broken("its columns are not those that its metadata tells of");
    }
    if (wide_) return {};
    return advance();
  }

  Result<const Frame*> next() override {
    auto read = wide_ ? read_wide() : read_long();
    if (!read) return base::pass(read);
    if (!*read) return nullptr;
    frame_.notes.clear();
    if (const auto said = notes_.find(frame_.sequence); said != notes_.end()) {
      frame_.notes = said->second;
    }
    if (const auto wrong = order_.step(frame_.sequence)) return broken(*wrong);
    return &frame_;
  }

 private:
  base::Unexpected broken(std::string what) const {
    return base::fail(ErrorKind::kCorrupt, std::move(what), records_.where(), kRemedy);
  }

  base::Unexpected bad_cell(std::string_view column, std::string_view cell) const {
    return broken(fmt::format("column {}: \"{}\" is no value of it", column, cell));
  }

  bool is_header(const Cells& cells) const {
    if (!wide_)
      return std::equal(cells.begin(), cells.end(), kLongColumns.begin(), kLongColumns.end());
    return cells.size() == kWideColumns.size() + channels_.channel_count() &&
           std::equal(kWideColumns.begin(), kWideColumns.end(), cells.begin());
  }

  void begin_frame() {
    frame_.bits.assign(channels_.channel_count(), 0);
    frame_.validity.assign(channels_.channel_count(), Validity::kMissing);
    frame_.read_ns.clear();
  }

  Result<void> read_tick(const Cells& cells) {
    const auto wall = text::parse_i64(cells[0]);
    const auto mono = text::parse_i64(cells[1]);
    const auto sequence = text::parse_u64(cells[2]);
    const auto cost = text::parse_u64(cells[3]);
    const auto gap = text::parse_u64(cells[4]);
    const bool sound[kTickColumns] = {wall.has_value(), mono.has_value(), sequence.has_value(),
                                      cost.has_value(), gap && *gap <= 0xFF};
    for (std::size_t i = 0; i < kTickColumns; ++i) {
      if (!sound[i]) return bad_cell(kWideColumns[i], cells[i]);
    }
    frame_.wall_ns = *wall;
    frame_.mono_ns = *mono;
    frame_.sequence = *sequence;
    frame_.cost_ns = *cost;
    frame_.gap = static_cast<std::uint8_t>(*gap);
    return {};
  }

  Result<void> set(std::size_t channel, std::string_view cell) {
    const ChannelId id(channel);
    const auto bits = parse_sample(cell, channels_.metric(id).repr);
    if (!bits) return bad_cell(channels_.name(id), cell);
    frame_.bits[channel] = *bits;
    frame_.validity[channel] = Validity::kFresh;
    return {};
  }

  // Returns whether there was a frame.
  Result<bool> read_wide() {
    const auto record = records_.next();
    if (!record) return base::pass(record);
    if (*record == nullptr) return false;
    const Cells& cells = **record;
    const std::size_t width = kWideColumns.size() + channels_.channel_count();
    if (cells.size() != width) {
      return broken(fmt::format("has {} cells instead of {}", cells.size(), width));
    }
    begin_frame();
    if (auto done = read_tick(cells); !done) return base::pass(done);
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      const auto cell = cells[kWideColumns.size() + i];
      if (cell.empty()) continue;
      if (auto done = set(i, cell); !done) return base::pass(done);
    }
    if (!apply_validity(cells[kValidityColumn], frame_.validity)) {
      return bad_cell("validity", cells[kValidityColumn]);
    }
    if (!apply_read_times(cells[kReadColumn], frame_)) {
      return bad_cell("read_ns", cells[kReadColumn]);
    }
    return true;
  }

  // Reads the row after the one at hand.
  Result<void> advance() {
    const auto record = records_.next();
    if (!record) return base::pass(record);
    row_ = *record;
    if (row_ == nullptr || row_->size() == kLongColumns.size()) return {};
    return broken(fmt::format("has {} cells instead of {}", row_->size(), kLongColumns.size()));
  }

  // Takes the rows of the tick at hand. Returns whether there was one.
  Result<bool> read_long() {
    if (row_ == nullptr) return false;
    begin_frame();
    if (auto done = read_tick(*row_); !done) return base::pass(done);
    const std::string sequence((*row_)[2]);
    while (row_ != nullptr && (*row_)[2] == sequence) {
      if (auto done = take_row(*row_); !done) return base::pass(done);
      if (auto done = advance(); !done) return base::pass(done);
    }
    return true;
  }

  Result<void> take_row(const Cells& cells) {
    const auto metric_name = cells[kMetricColumn];
    if (metric_name.empty()) return {};
    const auto instance = cells[kMetricColumn + 1];
    const auto id =
        channels_.find_channel(instance.empty() ? std::string(metric_name)
                                                : fmt::format("{}{{{}}}", metric_name, instance));
    if (!id) return bad_cell("metric", fmt::format("{}{{{}}}", metric_name, instance));
    if (auto done = set(id->index(), cells[kMetricColumn + 2]); !done) return done;
    const auto validity = cells[kMetricColumn + 3];
    if (validity == "stale") {
      frame_.validity[id->index()] = Validity::kStale;
    } else if (validity == "reset") {
      frame_.validity[id->index()] = Validity::kReset;
    } else if (validity != "fresh") {
      return bad_cell("validity", validity);
    }
    const auto read_ns = text::parse_i64(cells[kMetricColumn + 4]);
    if (!read_ns) return bad_cell("read_ns", cells[kMetricColumn + 4]);
    const std::size_t source = channels_.source(*id).index();
    while (frame_.read_ns.size() <= source) frame_.read_ns.push_back(frame_.mono_ns);
    frame_.read_ns[source] = *read_ns;
    return {};
  }

  CsvRecords records_;
  model::RunFacts facts_;
  ChannelTable channels_;
  NotesBySequence notes_;
  bool wide_;
  const Cells* row_ = nullptr;  // of the long layout: the next one
  Frame frame_;
  TickOrder order_;
};

}  // namespace

Result<std::unique_ptr<model::FrameSource>> open_own_csv(const std::filesystem::path& path) {
  const auto beside = metadata_path(path);
  std::error_code ignored;
  if (!std::filesystem::exists(beside, ignored)) return nullptr;
  const auto text = read_text(beside, kMaxMetadataBytes);
  if (!text) return base::pass(text);
  auto metadata = metadata_from_json(*text, beside.string());
  if (!metadata) return base::pass(metadata);
  if (metadata->layout != "wide" && metadata->layout != "long") {
    return base::fail(ErrorKind::kCorrupt, "its member layout is inconsistent", beside.string(),
                      kRemedy);
  }
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  auto reader = std::make_unique<CsvReader>(CsvRecords(std::move(*input)), std::move(*metadata));
  if (auto done = reader->read_header(); !done) return base::pass(done);
  return reader;
}

}  // namespace reveal::exchange
