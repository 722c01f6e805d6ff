#include "store/block_codec.h"

#include <algorithm>
#include <utility>

#include "store/notes_codec.h"
#include "store/zstd_codec.h"

namespace reveal::store {
namespace {

using base::ErrorKind;
using base::Result;

// More is refused: nobody's frames are so large, and a damaged number must not take all memory.
constexpr std::uint64_t kMaxTableBytes = 64u << 20;
constexpr std::uint64_t kMaxValues = 1u << 25;
constexpr std::uint64_t kMaxTimes = 1u << 16;

std::uint64_t as_unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

base::Unexpected broken() {
  return base::fail(ErrorKind::kCorrupt, "an unreadable block");
}

void put_notes_of_ticks(Bytes& out, const std::vector<TickNotes>& all) {
  put_varint(out, all.size());
  for (const TickNotes& notes : all) {
    put_varint(out, notes.tick);
    put_notes(out, notes.notes);
  }
}

bool read_notes_of_ticks(ByteCursor& in, std::size_t ticks, std::vector<TickNotes>& out) {
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const std::uint64_t tick = in.varint();
    auto notes = read_notes(in);
    if (!in.ok() || tick >= ticks) return false;
    out.push_back({static_cast<std::size_t>(tick), std::move(notes)});
  }
  return in.ok();
}

}  // namespace

void put_heading(Bytes& out, const BlockHeading& heading) {
  put_varint(out, heading.first_sequence);
  put_varint(out, heading.ticks);
  put_zigzag(out, heading.first_wall_ns);
  put_difference(out, as_unsigned(heading.first_wall_ns), as_unsigned(heading.last_wall_ns));
  put_zigzag(out, heading.first_mono_ns);
  put_difference(out, as_unsigned(heading.first_mono_ns), as_unsigned(heading.last_mono_ns));
  put_varint(out, heading.channels);
  put_varint(out, heading.times);
}

std::optional<BlockHeading> read_heading(ByteCursor& in) {
  BlockHeading heading;
  heading.first_sequence = in.varint();
  heading.ticks = in.varint();
  heading.first_wall_ns = in.zigzag();
  heading.last_wall_ns =
      static_cast<std::int64_t>(in.plus_difference(as_unsigned(heading.first_wall_ns)));
  heading.first_mono_ns = in.zigzag();
  heading.last_mono_ns =
      static_cast<std::int64_t>(in.plus_difference(as_unsigned(heading.first_mono_ns)));
  heading.channels = in.varint();
  heading.times = in.varint();
  if (!in.ok() || heading.ticks == 0 || heading.ticks > kMaxTicks) return std::nullopt;
  return heading;
}

BlockEncoder::BlockEncoder(BlockBuilder frames, std::vector<bool> real)
    : frames_(std::move(frames)), real_(std::move(real)), encoder_(frames_.ticks()) {
  patterns_.add(frames_.validity_, frames_.channels_.size());
  patterns_.add(frames_.read_, frames_.times_.size());
  real_.resize(channels(), false);
  const auto ends = [this](TickColumn which) {
    const auto all = frames_.tick_columns_[static_cast<std::size_t>(which)].finish(frames_.ticks());
    return std::pair(all.front(), all.back());
  };
  const auto wall = ends(TickColumn::kWall);
  const auto mono = ends(TickColumn::kMono);
  heading_.first_sequence = ends(TickColumn::kSequence).first;
  heading_.ticks = frames_.ticks();
  heading_.first_wall_ns = static_cast<std::int64_t>(wall.first);
  heading_.last_wall_ns = static_cast<std::int64_t>(wall.second);
  heading_.first_mono_ns = static_cast<std::int64_t>(mono.first);
  heading_.last_mono_ns = static_cast<std::int64_t>(mono.second);
  heading_.channels = channels();
  heading_.times = frames_.times_.size();
}

OpenColumn& BlockEncoder::column(std::size_t number) {
  if (number < kTickColumns) return frames_.tick_columns_[number];
  number -= kTickColumns;
  return number < channels() ? frames_.channels_[number] : frames_.times_[number - channels()];
}

bool BlockEncoder::advance(std::size_t columns) {
  for (; columns > 0 && next_ < this->columns(); --columns, ++next_) {
    const bool of_ticks = next_ < kTickColumns;
    const std::size_t at = next_ - kTickColumns;
    const TickList* moving = of_ticks ? nullptr : &patterns_.moving(at);
    const bool real = !of_ticks && at < channels() && real_[at];
    encoder_.encode(column(next_).finish(frames_.ticks()), moving, real);
  }
  return next_ == this->columns();
}

void BlockEncoder::finish(Bytes& payload) {
  const ColumnSections& sections = encoder_.sections();
  Bytes tables;
  put_bytes(tables, sections.forms);
  put_notes_of_ticks(tables, frames_.notes_);
  patterns_.put(tables);
  put_varint(tables, sections.bases.size());
  put_bytes(tables, sections.bases);
  put_varint(tables, sections.details.size());
  put_bytes(tables, sections.details);
  Bytes packed;
  put_compressed(packed, tables);
  if (packed.size() >= tables.size()) packed = tables;

  put_heading(payload, heading_);
  put_varint(payload, tables.size());
  put_varint(payload, packed.size());
  put_bytes(payload, packed);
  put_bytes(payload, sections.codes);
}

Result<BlockDecoder> BlockDecoder::open(ByteView payload, std::size_t channels) {
  ByteCursor in(payload);
  BlockDecoder block;
  const auto heading = read_heading(in);
  if (!heading || heading->channels > channels || heading->times > kMaxTimes) return broken();
  block.heading_ = *heading;
  const std::uint64_t size = in.varint();
  const ByteView packed = in.bytes(in.varint());
  if (!in.ok() || size > kMaxTableBytes) return broken();
  if (packed.size() == size) {
    block.tables_.assign(packed.begin(), packed.end());
  } else if (auto tables = decompress(packed, static_cast<std::size_t>(size))) {
    block.tables_ = std::move(*tables);
  } else {
    return broken();
  }
  block.table_ratio_ = static_cast<double>(packed.size()) / static_cast<double>(size + 1);
  if (!block.read_tables(in)) return broken();
  return block;
}

double BlockDecoder::channel_bytes(std::size_t channel) const {
  const std::size_t column = kTickColumns + channel;
  return table_ratio_ * static_cast<double>(columns_->table_bytes(column)) +
         static_cast<double>(columns_->code_bytes(column));
}

bool BlockDecoder::read_tables(ByteCursor& codes) {
  ByteCursor in(tables_);
  const auto columns = static_cast<std::size_t>(heading_.channels + heading_.times);
  ColumnDecoder::Tables tables;
  tables.forms = in.bytes(columns + kTickColumns);
  if (!in.ok()) return false;
  if (!read_notes_of_ticks(in, ticks(), notes_) ||
      !patterns_.read(in, columns, ticks(), kMaxValues)) {
    return false;
  }
  tables.bases = in.bytes(in.varint());
  tables.details = in.bytes(in.varint());
  tables.codes = codes.bytes(codes.left());
  if (!in.ok()) return false;
  std::vector<const TickList*> moving(kTickColumns, nullptr);
  for (std::size_t i = 0; i < columns; ++i) moving.push_back(&patterns_.moving(i));
  auto read = ColumnDecoder::open(tables, ticks(), std::move(moving));
  if (!read) return false;
  columns_.emplace(std::move(*read));
  return true;
}

Result<void> BlockDecoder::decode(const std::vector<bool>* wanted) {
  if (wanted != nullptr) wanted_ = *wanted;
  const auto channels = static_cast<std::size_t>(heading_.channels);
  if (wanted != nullptr) wanted_.resize(channels, false);
  varying_.clear();
  varying_of_.assign(columns_->size(), 0);
  for (std::size_t column = 0; column < columns_->size(); ++column) {
    if (columns_->constant(column)) continue;
    const bool channel = column >= kTickColumns && column - kTickColumns < channels;
    if (channel && wanted != nullptr && !wanted_[column - kTickColumns]) continue;
    if (varying_.size() * ticks() > kMaxValues) return broken();
    varying_.push_back({static_cast<std::uint32_t>(column), {}});
    varying_.back().values.resize(ticks());
    columns_->decode(column, varying_.back().values);
    varying_of_[column] = static_cast<std::uint32_t>(varying_.size());
  }
  last_tick_.reset();
  for (std::size_t tick = 0; tick < ticks(); ++tick) {
    if (tick_value(TickColumn::kChannels, tick) > channels) return broken();
    if (tick_value(TickColumn::kTimes, tick) > heading_.times) return broken();
  }
  return {};
}

std::uint64_t BlockDecoder::value(std::size_t column, std::size_t tick) const {
  const std::uint32_t place = varying_of_[column];
  return place == 0 ? columns_->first(column) : varying_[place - 1].values[tick];
}

void BlockDecoder::frame(std::size_t tick, model::Frame& out) {
  const auto channels = static_cast<std::size_t>(tick_value(TickColumn::kChannels, tick));
  const bool all = !last_tick_ || *last_tick_ + 1 != tick || out.bits.size() != channels;
  out.sequence = tick_value(TickColumn::kSequence, tick);
  out.wall_ns = static_cast<std::int64_t>(tick_value(TickColumn::kWall, tick));
  out.mono_ns = static_cast<std::int64_t>(tick_value(TickColumn::kMono, tick));
  out.cost_ns = tick_value(TickColumn::kCost, tick);
  out.gap = static_cast<std::uint8_t>(tick_value(TickColumn::kGap, tick));
  out.bits.resize(channels);
  out.validity.resize(channels);
  out.read_ns.resize(static_cast<std::size_t>(tick_value(TickColumn::kTimes, tick)));
  set_channels(tick, all, out);
  set_validity(tick, out);
  set_times(tick, all, out);
  out.notes.clear();
  for (const TickNotes& notes : notes_) {
    if (notes.tick == tick) out.notes = notes.notes;
  }
  last_tick_ = tick;
}

void BlockDecoder::set_channels(std::size_t tick, bool all, model::Frame& out) const {
  const std::size_t channels = out.bits.size();
  if (all) {
    for (std::size_t i = 0; i < channels; ++i) {
      const bool here = wanted_.empty() || wanted_[i];
      out.bits[i] = here ? value(kTickColumns + i, tick) : 0;
    }
    return;
  }
  for (const VaryingColumn& varying : varying_) {
    const std::size_t channel = varying.column - kTickColumns;  // huge for a tick column
    if (channel < channels) out.bits[channel] = varying.values[tick];
  }
}

void BlockDecoder::set_validity(std::size_t tick, model::Frame& out) const {
  for (std::size_t i = 0; i < out.validity.size(); ++i) {
    const bool here = wanted_.empty() || wanted_[i];
    out.validity[i] =
        here ? static_cast<model::Validity>(patterns_.of(i)[tick]) : model::Validity::kMissing;
  }
}

// A collector that was not read in this tick keeps the time of its last reading, which may lie some
// ticks back.
void BlockDecoder::set_times(std::size_t tick, bool all, model::Frame& out) const {
  const auto channels = static_cast<std::size_t>(heading_.channels);
  for (std::size_t i = 0; i < out.read_ns.size(); ++i) {
    const auto& read = patterns_.of(channels + i);
    if (!all && read[tick] == 0) continue;
    std::size_t last = tick;
    while (last > 0 && read[last] == 0) --last;
    const std::uint64_t offset = value(kTickColumns + channels + i, last);
    out.read_ns[i] = static_cast<std::int64_t>(tick_value(TickColumn::kMono, last) + offset);
  }
}

}  // namespace reveal::store
