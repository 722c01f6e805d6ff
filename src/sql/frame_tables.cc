// The tables that are made from frames alone.
#include <optional>
#include <utility>
#include <vector>

#include "derive/deriver.h"
#include "exchange/sample_rows.h"
#include "sql/tables.h"

namespace reveal::sql {
namespace {

using duck::Column;
using duck::ColumnType;
using duck::RowChunk;
using duck::RowSource;
using Rows = base::Result<std::unique_ptr<RowSource>>;

Rows open_samples(Recording& recording) {
  auto frames = recording.frames();
  if (!frames) return base::pass(frames);
  return std::make_unique<exchange::SampleRows>(std::move(*frames), recording.origin());
}

constexpr Column kChannelColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"channel_id", ColumnType::kUnsigned, "as in samples; NULL for a derived channel"},
    {"channel", ColumnType::kText, "metric{instance}, as reports name it"},
    {"metric", ColumnType::kText, "its name says subsystem, quantity and unit"},
    {"instance", ColumnType::kText, "e.g. dev=sda; empty for the host"},
    {"label", ColumnType::kText, "the metric as a noun phrase"},
    {"unit", ColumnType::kText, "of samples.value"},
    {"kind", ColumnType::kText, "counter, gauge, event or static"},
    {"subsystem", ColumnType::kText, "cpu, gpu, memory, network, storage or unknown"},
    {"scope", ColumnType::kText, "host, core, node, gpu, nic, disk, cgroup, device or recorder"},
    {"scale", ColumnType::kDouble, "raw times this is the value"},
    {"source", ColumnType::kText, "where the kernel or the driver says it"},
    {"alias", ColumnType::kText, "the name that other tools give it; may be empty"},
    {"collector", ColumnType::kText, "who reads it"},
    {"derived", ColumnType::kBoolean, "computed from others: has features but no samples"},
    {"total", ColumnType::kBoolean, "of the host, beside channels of its parts: not for sums"},
    {"help", ColumnType::kText, "one sentence"},
};

// The channel tables of a whole recording: what was recorded, and what is derived from it.
struct AllChannels {
  std::unique_ptr<model::FrameSource> frames;
  derive::Deriver deriver;
  std::vector<model::ChannelId> derived;  // those of the deriver that were not recorded

  const model::ChannelTable& recorded() const { return frames->channels(); }
};

// The deriver's table grows only if the recorded one does, so it sees no other frame.
base::Result<std::shared_ptr<AllChannels>> all_channels(Recording& recording) {
  auto frames = recording.frames();
  if (!frames) return base::pass(frames);
  auto out = std::make_shared<AllChannels>();
  out->frames = std::move(*frames);
  std::size_t known = 0;
  for (;;) {
    const auto frame = out->frames->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    if ((*frame)->bits.size() > known) out->deriver.step(out->recorded(), **frame);
    known = (*frame)->bits.size();
  }
  const auto& all = out->deriver.channels();
  for (std::size_t i = 0; i < all.channel_count(); ++i) {
    const model::ChannelId id(i);
    if (!out->recorded().find_channel(all.name(id))) out->derived.push_back(id);
  }
  return out;
}

// Returns whether the channel is of the whole host, and others of its metric are of parts of it: a
// sum over the metric would count these twice.
bool is_total(const model::ChannelTable& table, model::ChannelId id) {
  if (!table.channel(id).instance.empty()) return false;
  for (std::size_t i = 0; i < table.channel_count(); ++i) {
    const auto& other = table.channel(model::ChannelId(i));
    if (other.metric == table.channel(id).metric && !other.instance.empty()) return true;
  }
  return false;
}

// `number` is the channel's among the recorded ones; one that was derived has none.
void add_channel(RowChunk& chunk, const exchange::RowOrigin& origin,
                 const model::ChannelTable& table, model::ChannelId id,
                 std::optional<std::uint64_t> number) {
  const auto& metric = table.metric(id);
  chunk.add(origin.recording, origin.host, number, table.name(id), metric.name,
            table.channel(id).instance, metric.label, metric.unit, to_string(metric.kind),
            to_string(metric.subsystem), to_string(metric.scope), metric.scale, metric.source,
            metric.alias, metric.collector, !number, is_total(table, id), metric.help);
}

Rows open_channels(Recording& recording) {
  auto opened = all_channels(recording);
  if (!opened) return base::pass(opened);
  const std::shared_ptr<const AllChannels> all = std::move(*opened);
  const std::size_t recorded = all->recorded().channel_count();
  return std::make_unique<duck::CountedRows>(
      recorded + all->derived.size(),
      [all, recorded, &origin = recording.origin()](RowChunk& chunk, std::size_t row) {
        if (row < recorded) {
          add_channel(chunk, origin, all->recorded(), model::ChannelId(row), row);
        } else {
          const auto id = all->derived[row - recorded];
          add_channel(chunk, origin, all->deriver.channels(), id, std::nullopt);
        }
      });
}

constexpr Column kNoteColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"sequence", ColumnType::kUnsigned, "the tick in which it was said"},
    {"time", ColumnType::kTime, "of that tick, UTC"},
    {"kind", ColumnType::kText, "fact: holds until it is stated anew; or event"},
    {"source", ColumnType::kText, "the collector that said it"},
    {"subject", ColumnType::kText, "what it is about, e.g. mtu of eth0"},
    {"text", ColumnType::kText, "what was said; empty where a fact ends"},
};

class NoteRows : public RowSource {
 public:
  NoteRows(std::unique_ptr<model::FrameSource> frames, exchange::RowOrigin origin)
      : frames_(std::move(frames)), origin_(std::move(origin)) {}

  base::Result<void> fill(RowChunk& chunk) override {
    while (chunk.room() > 0 && !at_end_) {
      if (frame_ != nullptr && next_ < frame_->notes.size()) {
        add(chunk, frame_->notes[next_++]);
        continue;
      }
      const auto frame = frames_->next();
      if (!frame) return base::pass(frame);
      frame_ = *frame;
      next_ = 0;
      at_end_ = frame_ == nullptr;
    }
    return {};
  }

 private:
  void add(RowChunk& chunk, const model::Note& note) const {
    chunk.add(origin_.recording, origin_.host, frame_->sequence, duck::Time{frame_->wall_ns},
              note.kind == model::Note::Kind::kFact ? "fact" : "event", note.source, note.subject,
              note.text);
  }

  std::unique_ptr<model::FrameSource> frames_;
  exchange::RowOrigin origin_;
  const model::Frame* frame_ = nullptr;
  std::size_t next_ = 0;  // note of the frame
  bool at_end_ = false;
};

Rows open_notes(Recording& recording) {
  auto frames = recording.frames();
  if (!frames) return base::pass(frames);
  return std::make_unique<NoteRows>(std::move(*frames), recording.origin());
}

}  // namespace

const TableRow kSamplesTable{"samples", "Each channel of each tick, as recorded.",
                             exchange::kSampleColumns, open_samples};
const TableRow kChannelsTable{"channels", "What was recorded, and what is derived from it.",
                              kChannelColumns, open_channels};
const TableRow kNotesTable{"notes", "Facts and events that are no numbers.", kNoteColumns,
                           open_notes};

}  // namespace reveal::sql
