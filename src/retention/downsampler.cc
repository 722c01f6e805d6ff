#include "retention/downsampler.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "model/process_use.h"

namespace reveal::retention {
namespace {

using model::ChannelId;
using model::Frame;
using model::Validity;

constexpr std::int64_t kFinestProcesses_ns = 10'000'000'000;
constexpr auto kNever = std::numeric_limits<std::int64_t>::min();

Validity validity_of(const Frame& frame, ChannelId id) {
  return id.index() < frame.validity.size() ? frame.validity[id.index()] : Validity::kMissing;
}

bool fell(model::Repr repr, std::uint64_t from, std::uint64_t to) {
  if (repr == model::Repr::kU64) return to < from;
  return std::bit_cast<double>(to) < std::bit_cast<double>(from);
}

}  // namespace

Downsampler::Downsampler(const model::RunFacts& facts, std::int64_t interval_ns, FineSource fine)
    : facts_(facts), axis_(facts, interval_ns), channels_(fine) {
  facts_.interval_ns = interval_ns;
}

void Downsampler::resume(const model::ChannelTable& channels, std::vector<Frame> latest,
                         model::FactTable stated) {
  channels_.resume(channels);
  memory_.assign(std::make_move_iterator(latest.begin()), std::make_move_iterator(latest.end()));
  stated_ = std::move(stated);
}

const Frame* Downsampler::step(const model::ChannelTable& fine, const Frame& frame) {
  const std::uint64_t tick = tick_of(frame.sequence);
  if (has(tick)) return nullptr;
  const Frame* closed = open_ && tick != open_->sequence ? close() : nullptr;
  if (!open_) begin(tick);
  take(fine, frame);
  return closed;
}

const Frame* Downsampler::finish() {
  return open_ ? close() : nullptr;
}

void Downsampler::begin(std::uint64_t tick) {
  open_.emplace();
  open_->sequence = tick;
  for (std::size_t i = 0; i < columns_.size(); ++i) restart(i);
}

void Downsampler::grow(const model::ChannelTable& fine, std::size_t count) {
  channels_.grow(fine, count);
  for (std::size_t i = columns_.size(); i < count; ++i) {
    const auto& route = channels_.routes()[i];
    Column& column = columns_.emplace_back();
    if (route.beside) column.unread.emplace(fine.metric(ChannelId(i)));
    column.source = channels().source(route.latest).index();
    restart(i);
  }
  open_->read_ns.resize(channels().source_count(), kNever);
}

void Downsampler::restart(std::size_t index) {
  Column& column = columns_[index];
  column.summary.clear();
  column.read = column.reset = column.stood = false;
  column.bits = latest_bits(channels_.routes()[index].latest);
  column.signal = column.unread;
  if (column.signal) prime(index, *column.signal);
}

// The tick before is that of the latest reading. The one before it shows how fast the counter is,
// by which derive judges whether a fall is a wrap.
void Downsampler::prime(std::size_t index, derive::Signal& signal) const {
  if (memory_.empty()) return;
  const ChannelId id = channels_.routes()[index].latest;
  const model::SourceId source(columns_[index].source);
  const Frame& latest = memory_.back();
  const Validity validity = validity_of(latest, id);
  if (validity == Validity::kMissing) return;
  const Frame& before = memory_.front();
  const bool known = memory_.size() == kMemory && validity_of(before, id) != Validity::kMissing &&
                     before.was_read(id) && validity == Validity::kFresh;
  if (known &&
      !fell(channels().metric(id).repr, before.bits[id.index()], latest.bits[id.index()])) {
    signal.step(before.bits[id.index()], Validity::kFresh, before.read_ns_of(source));
  }
  signal.step(latest.bits[id.index()], Validity::kFresh, latest.read_ns_of(source));
}

void Downsampler::take(const model::ChannelTable& fine, const Frame& frame) {
  grow(fine, frame.bits.size());
  open_->wall_ns = frame.wall_ns;
  open_->mono_ns = frame.mono_ns;
  open_->cost_ns += frame.cost_ns;
  open_->gap |= frame.gap;
  const bool is_coarse = facts_.interval_ns > kFinestProcesses_ns;
  for (const model::Note& note : frame.notes) {
    if (is_coarse && model::is_process_use(note)) continue;
    if (stated_.apply(note)) open_->notes.push_back(note);
  }
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    take_sample(i, frame, frame.read_ns_of(fine.source(ChannelId(i))));
  }
}

void Downsampler::take_sample(std::size_t index, const Frame& frame, std::int64_t read_ns) {
  Column& column = columns_[index];
  const Validity validity = frame.validity[index];
  const std::uint64_t bits = frame.bits[index];
  if (validity == Validity::kMissing) {
    if (column.signal) column.signal->step(bits, validity, read_ns);
    return;
  }
  std::int64_t& latest_ns = open_->read_ns[column.source];
  latest_ns = std::max(latest_ns, read_ns);
  column.bits = bits;
  if (validity == Validity::kStale) {
    column.stood = true;
    return;
  }
  column.read = true;
  column.reset = column.reset || validity == Validity::kReset;
  if (column.signal) column.summary.add(column.signal->step(bits, validity, read_ns).operand);
  if (channels_.routes()[index].is) column.summary.add(std::bit_cast<double>(bits));
}

const Frame* Downsampler::close() {
  open_->resize(channels().channel_count());
  for (std::size_t i = 0; i < columns_.size(); ++i) close_column(i);
  for (std::int64_t& read_ns : open_->read_ns) {
    if (read_ns == kNever) read_ns = open_->mono_ns;
  }
  memory_.push_back(std::move(*open_));
  open_.reset();
  if (memory_.size() > kMemory) memory_.pop_front();
  return &memory_.back();
}

void Downsampler::close_column(std::size_t index) {
  const Column& column = columns_[index];
  const auto& route = channels_.routes()[index];
  Validity validity = column.reset   ? Validity::kReset
                      : column.read  ? Validity::kFresh
                      : column.stood ? Validity::kStale
                                     : Validity::kMissing;
  std::uint64_t bits = column.bits;
  if (route.is && column.read) {
    if (column.summary.empty()) {
      validity = Validity::kMissing;
    } else {
      const double value = column.summary.value(*route.is, model::Kind::kGauge);
      bits = std::bit_cast<std::uint64_t>(value);
    }
  }
  set(route.latest, bits, validity);
  if (route.beside) close_beside(index, validity);
}

// While a channel is not read, its statistics stand as it does.
void Downsampler::close_beside(std::size_t index, Validity latest) {
  const Column& column = columns_[index];
  const auto& route = channels_.routes()[index];
  const auto& beside = *route.beside;
  const model::Kind kind = channels().metric(route.latest).kind;
  for (std::size_t i = 0; i < kStatistics; ++i) {
    if (!column.summary.empty()) {
      const double value = column.summary.value(static_cast<Statistic>(i), kind);
      set(beside[i], std::bit_cast<std::uint64_t>(value), Validity::kFresh);
      continue;
    }
    const bool stands = latest == Validity::kStale && !memory_.empty() &&
                        validity_of(memory_.back(), beside[i]) != Validity::kMissing;
    set(beside[i], latest_bits(beside[i]), stands ? Validity::kStale : Validity::kMissing);
  }
}

void Downsampler::set(ChannelId id, std::uint64_t bits, Validity validity) {
  open_->bits[id.index()] = bits;
  open_->validity[id.index()] = validity;
}

std::uint64_t Downsampler::latest_bits(ChannelId id) const {
  if (memory_.empty() || id.index() >= memory_.back().bits.size()) return 0;
  return memory_.back().bits[id.index()];
}

}  // namespace reveal::retention
