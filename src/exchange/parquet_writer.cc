#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "duck/table_appender.h"
#include "exchange/metadata.h"
#include "exchange/new_parquet_file.h"
#include "exchange/parquet.h"
#include "exchange/parquet_file.h"
#include "exchange/sample_rows.h"
#include "exchange/validity_text.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Repr;
using model::Validity;

constexpr const char* kTable = "frames";
// Rows that are compressed together, and are in memory at once: a wide one is hundreds of columns.
constexpr int kWideGroup = 10'240;
constexpr int kLongGroup = 122'880;  // DuckDB's own

std::vector<std::string> names_of(Layout layout, const ChannelTable& channels) {
  std::vector<std::string> out;
  for (const duck::Column& column : parquet_columns(layout)) out.emplace_back(column.name);
  if (layout == Layout::kLong) return out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    out.push_back(channels.name(ChannelId(i)));
  }
  return out;
}

class ParquetWriter : public model::FrameSink {
 public:
  ParquetWriter(WriterOptions options, base::NewFile file, duck::Session session)
      : options_(std::move(options)), file_(std::move(file)), session_(std::move(session)) {}

  Result<void> begin(const model::RunFacts& facts) override {
    facts_ = facts;
    auto made =
        duck::TableAppender::create(session_, kTable, parquet_types(options_.layout, channels()));
    if (!made) return base::pass(made);
    appender_.emplace(std::move(*made));
    return {};
  }

  Result<void> write(const ChannelTable&, const Frame& frame) override {
    if (!frame.notes.empty()) notes_.emplace(frame.sequence, frame.notes);
    return wide() ? write_wide(frame) : write_long(frame);
  }

  Result<void> finish() override {
    if (auto done = appender_->finish(); !done) return done;
    appender_.reset();
    if (auto done = session_.execute(copy_statement()); !done) return done;
    return file_.keep();
  }

 private:
  bool wide() const { return options_.layout == Layout::kWide; }
  const ChannelTable& channels() const { return *options_.channels; }

  // Sets the tick's columns and returns how many there are.
  static std::size_t set_tick(duck::RowChunk& rows, const Frame& frame) {
    rows.begin_row();
    rows.set(0, duck::Time{frame.wall_ns});
    rows.set(1, frame.wall_ns);
    rows.set(2, frame.mono_ns);
    rows.set(3, frame.sequence);
    rows.set(4, frame.cost_ns);
    rows.set(5, std::uint64_t{frame.gap});
    return kParquetTickColumns.size();
  }

  Result<void> write_wide(const Frame& frame) {
    const auto at = appender_->rows();
    if (!at) return base::pass(at);
    duck::RowChunk& rows = **at;
    std::size_t column = set_tick(rows, frame);
    text_.clear();
    append_validity(text_, frame.validity);
    rows.set(column++, std::string_view(text_));
    text_.clear();
    append_read_times(text_, frame);
    rows.set(column++, std::string_view(text_));
    text_.clear();
    append_exact(text_, channels(), frame);
    rows.set(column++, std::string_view(text_));
    for (std::size_t i = 0; i < channels().channel_count(); ++i) set_cell(rows, column++, frame, i);
    return {};
  }

  void set_cell(duck::RowChunk& rows, std::size_t column, const Frame& frame, std::size_t i) const {
    if (i >= frame.bits.size() || frame.validity[i] == Validity::kMissing) {
      rows.set_null(column);
    } else if (channels().metric(ChannelId(i)).repr == Repr::kU64) {
      rows.set(column, frame.bits[i]);
    } else {
      rows.set(column, std::bit_cast<double>(frame.bits[i]));
    }
  }

  Result<void> write_long(const Frame& frame) {
    bool any = false;
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      if (frame.validity[i] == Validity::kMissing) continue;
      const auto at = appender_->rows();
      if (!at) return base::pass(at);
      set_sample(**at, frame, ChannelId(i));
      any = true;
    }
    if (any) return {};
    const auto at = appender_->rows();
    if (!at) return base::pass(at);
    const std::size_t first = set_tick(**at, frame);
    for (std::size_t i = 0; i < kParquetLongColumns.size(); ++i) (*at)->set_null(first + i);
    return {};
  }

  void set_sample(duck::RowChunk& rows, const Frame& frame, ChannelId id) const {
    const auto& metric = channels().metric(id);
    const std::uint64_t bits = frame.bits[id.index()];
    std::size_t column = set_tick(rows, frame);
    rows.set(column++, std::uint64_t{id.value()});
    rows.set(column++, metric.name);
    rows.set(column++, channels().channel(id).instance);
    rows.set(column++, in_unit(metric, bits));
    rows.set(column++, bits);
    rows.set(column++, validity_word(frame.validity[id.index()]));
    rows.set(column++, frame.read_ns_of(channels().source(id)));
  }

  std::string copy_statement() const {
    const auto json = to_json(wide() ? "wide" : "long", facts_, channels(), notes_);
    return fmt::format(
        "COPY (SELECT {} FROM {}) TO {} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, "
        "ROW_GROUP_SIZE {}, KV_METADATA {{{}: {}}})",
        named_columns(names_of(options_.layout, channels())), kTable,
        duck::sql_text(file_.by_descriptor()), wide() ? kWideGroup : kLongGroup, kParquetKey,
        duck::sql_text(json));
  }

  WriterOptions options_;
  base::NewFile file_;
  duck::Session session_;
  std::optional<duck::TableAppender> appender_;
  model::RunFacts facts_;
  NotesBySequence notes_;
  std::string text_;
};

}  // namespace

Result<std::unique_ptr<model::FrameSink>> make_parquet_writer(const WriterOptions& options) {
  auto session = open_file_session();
  if (!session) return base::pass(session);
  auto file = new_parquet_file(options.path);
  if (!file) return base::pass(file);
  return std::make_unique<ParquetWriter>(options, std::move(*file), std::move(*session));
}

}  // namespace reveal::exchange
