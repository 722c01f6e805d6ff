#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "duck/chunk_stream.h"
#include "exchange/metadata.h"
#include "exchange/parquet.h"
#include "exchange/parquet_file.h"
#include "exchange/sample_rows.h"
#include "exchange/tick_order.h"
#include "exchange/validity_text.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Validity;

constexpr const char* kRemedy = "export it again";
constexpr std::size_t kTickColumns = kParquetTickColumns.size();
constexpr std::size_t kValidityColumn = kTickColumns;  // of the wide layout
constexpr std::size_t kReadColumn = kTickColumns + 1;
constexpr std::size_t kExactColumn = kTickColumns + 2;
constexpr std::size_t kFirstChannel = kTickColumns + kParquetWideColumns.size();

// Returns the metadata that this program wrote into the file; nothing if another wrote it.
Result<std::optional<std::string>> own_metadata(ParquetFile& file) {
  auto result = file.session.query(
      fmt::format("SELECT decode(value) FROM parquet_kv_metadata({}) WHERE decode(key) = {}",
                  file.sql_name(), duck::sql_text(kParquetKey)));
  if (!result) {
    return base::fail(ErrorKind::kCorrupt, "cannot be read as Parquet: " + result.error().what,
                      file.path);
  }
  const auto row = result->next();
  if (row.empty() || !row[0]) return std::nullopt;
  return std::string(*row[0]);
}

// One frame after the other from the rows of either layout.
class ParquetReader : public model::FrameSource {
 public:
  ParquetReader(ParquetFile file, Metadata metadata, duck::ChunkStream rows)
      : file_(std::move(file)),
        facts_(std::move(metadata.facts)),
        channels_(std::move(metadata.channels)),
        notes_(std::move(metadata.notes)),
        wide_(metadata.layout == "wide"),
        rows_(std::move(rows)) {}

  const model::RunFacts& facts() const override { return facts_; }
  const ChannelTable& channels() const override { return channels_; }

  // Checks that the columns are those that the metadata tells of, and reads up to the first row.
  Result<void> begin() {
    if (!has_columns()) return broken("its columns are not those that its metadata tells of");
    return advance();
  }

  Result<const Frame*> next() override {
    if (!row_) return nullptr;
    if (auto done = read_tick(); !done) return base::pass(done);
    if (auto done = wide_ ? read_wide() : read_long(); !done) return base::pass(done);
    if (const auto wrong = order_.step(frame_.sequence)) return broken(*wrong);
    frame_.notes.clear();
    if (const auto said = notes_.find(frame_.sequence); said != notes_.end()) {
      frame_.notes = said->second;
    }
    return &frame_;
  }

 private:
  base::Unexpected broken(std::string what) const {
    return base::fail(ErrorKind::kCorrupt, std::move(what), file_.path, kRemedy);
  }

  bool has_columns() const {
    const auto types = parquet_types(wide_ ? Layout::kWide : Layout::kLong, channels_);
    if (rows_.column_count() != types.size()) return false;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (!rows_.has_type(i, types[i])) return false;
    }
    return true;
  }

  Result<void> advance() {
    const auto there = rows_.next();
    if (!there) return base::pass(there);
    row_ = *there;
    return {};
  }

  Result<void> read_tick() {
    for (std::size_t i = 0; i < kTickColumns; ++i) {
      if (rows_.is_null(i)) {
        return broken(fmt::format("column {} has no value", kParquetTickColumns[i].name));
      }
    }
    frame_.wall_ns = rows_.integer(1);
    frame_.mono_ns = rows_.integer(2);
    frame_.sequence = rows_.whole(3);
    frame_.cost_ns = rows_.whole(4);
    const std::uint64_t gap = rows_.whole(5);
    if (gap > 0xFF) return broken(fmt::format("column gap: {} is no value of it", gap));
    frame_.gap = static_cast<std::uint8_t>(gap);
    frame_.bits.assign(channels_.channel_count(), 0);
    frame_.validity.assign(channels_.channel_count(), Validity::kMissing);
    frame_.read_ns.clear();
    return {};
  }

  std::string_view text(std::size_t column) const {
    return rows_.is_null(column) ? std::string_view() : rows_.text(column);
  }

  Result<void> read_wide() {
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      if (rows_.is_null(kFirstChannel + i)) continue;
      frame_.bits[i] = rows_.whole(kFirstChannel + i);
      frame_.validity[i] = Validity::kFresh;
    }
    if (!apply_validity(text(kValidityColumn), frame_.validity)) {
      return broken(
          fmt::format("column validity: \"{}\" is no value of it", text(kValidityColumn)));
    }
    if (!apply_read_times(text(kReadColumn), frame_)) {
      return broken(fmt::format("column read_ns: \"{}\" is no value of it", text(kReadColumn)));
    }
    if (!apply_exact(text(kExactColumn), frame_)) {
      return broken(fmt::format("column exact: \"{}\" is no value of it", text(kExactColumn)));
    }
    return advance();
  }

  // Takes the rows of the tick at hand.
  Result<void> read_long() {
    while (row_ && rows_.whole(3) == frame_.sequence) {
      if (!rows_.is_null(kTickColumns)) {
        if (auto done = take_sample(); !done) return done;
      }
      if (auto done = advance(); !done) return done;
      if (row_ && rows_.is_null(3)) return broken("column sequence has no value");
    }
    return {};
  }

  Result<void> take_sample() {
    constexpr std::size_t kBits = kTickColumns + 4;
    constexpr std::size_t kValidity = kTickColumns + 5;
    constexpr std::size_t kRead = kTickColumns + 6;
    const std::uint64_t channel = rows_.whole(kTickColumns);
    const auto validity = validity_of_word(text(kValidity));
    if (channel >= channels_.channel_count() || rows_.is_null(kBits) || rows_.is_null(kRead) ||
        !validity || *validity == Validity::kMissing) {
      return broken(
          fmt::format("tick {}: a sample of channel {} is not whole", frame_.sequence, channel));
    }
    frame_.bits[channel] = rows_.whole(kBits);
    frame_.validity[channel] = *validity;
    const std::size_t source = channels_.source(ChannelId(channel)).index();
    while (frame_.read_ns.size() <= source) frame_.read_ns.push_back(frame_.mono_ns);
    frame_.read_ns[source] = rows_.integer(kRead);
    return {};
  }

  ParquetFile file_;
  model::RunFacts facts_;
  ChannelTable channels_;
  NotesBySequence notes_;
  bool wide_;
  duck::ChunkStream rows_;  // after file_: it ends first
  bool row_ = false;        // there is one at hand
  Frame frame_;
  TickOrder order_;
};

}  // namespace

Result<std::unique_ptr<model::FrameSource>> open_own_parquet(const std::filesystem::path& path) {
  auto file = ParquetFile::open(path);
  if (!file) return base::pass(file);
  const auto json = own_metadata(*file);
  if (!json) return base::pass(json);
  if (!*json) return nullptr;
  auto metadata = metadata_from_json(**json, path.string());
  if (!metadata) return base::pass(metadata);
  if (metadata->layout != "wide" && metadata->layout != "long") {
    return base::fail(ErrorKind::kCorrupt, "its layout is inconsistent", path.string(), kRemedy);
  }
  auto rows = duck::ChunkStream::begin(
      file->session, fmt::format("SELECT * FROM read_parquet({})", file->sql_name()),
      path.string());
  if (!rows) return base::pass(rows);
  auto reader =
      std::make_unique<ParquetReader>(std::move(*file), std::move(*metadata), std::move(*rows));
  if (auto done = reader->begin(); !done) return base::pass(done);
  return reader;
}

}  // namespace reveal::exchange
