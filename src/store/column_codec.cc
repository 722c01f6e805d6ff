#include "store/column_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace reveal::store {
namespace {

using Steps = std::span<std::int64_t>;
using ConstSteps = std::span<const std::int64_t>;

constexpr double kReferenceBits = 8;     // to name one
constexpr std::size_t kCodeDetails = 3;  // bytes that a range code takes in the tables
constexpr std::size_t kFewSteps = 24;    // up to here a list is tried

// A form's byte.
constexpr std::uint8_t kFormBits = 0x0F;
constexpr std::uint8_t kDecimalFlag = 0x10;
constexpr std::uint8_t kAllTicksFlag = 0x20;
constexpr auto kLastForm = static_cast<std::uint8_t>(ColumnForm::kResidual);

constexpr std::uint64_t kMaxDecimals = 9;

// About what it costs to code a number that is not zero.
double bits_of(std::int64_t v) {
  return v == 0 ? 0.0 : 1.5 + bit_length(size_of(v));
}

// Turns values into steps in place.
void to_steps(std::span<std::uint64_t> values) {
  for (std::size_t t = values.size() - 1; t > 0; --t) values[t] -= values[t - 1];
  values[0] = 0;
}

// Returns the greatest number that divides all steps; 1 for steps that are all zero.
std::uint64_t common_divisor(ConstSteps steps) {
  std::uint64_t divisor = 0;
  for (const std::int64_t step : steps) {
    if (step == 0) continue;
    const std::uint64_t size = size_of(step);
    if (divisor == 0) {
      divisor = size;
    } else if (size % divisor != 0) {
      divisor = std::gcd(divisor, size);
    }
    if (divisor == 1) break;
  }
  return divisor == 0 ? 1 : divisor;
}

void divide(Steps steps, std::uint64_t divisor) {
  if (divisor == 1) return;
  for (std::int64_t& step : steps) {
    if (step == 0) continue;
    const std::uint64_t size = size_of(step) / divisor;
    step = static_cast<std::int64_t>(step < 0 ? ~size + 1 : size);
  }
}

constexpr double kPowers[kMaxDecimals + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

std::uint64_t from_decimal(std::uint64_t whole, std::uint64_t decimals) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(whole)) /
                                      kPowers[decimals]);
}

// Returns the whole number that stands for a binary64 times a power of ten, if it comes back.
std::optional<std::uint64_t> to_decimal(std::uint64_t bits, std::uint64_t decimals) {
  const double scaled = std::bit_cast<double>(bits) * kPowers[decimals];
  if (!(std::abs(scaled) < 9e15)) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(std::llround(scaled));
  if (from_decimal(whole, decimals) != bits) return std::nullopt;
  return whole;
}

// Turns binary64 into whole numbers in place if all are decimal fractions with few places.
std::optional<std::uint64_t> make_whole(std::span<std::uint64_t> values) {
  std::uint64_t decimals = 0;
  for (const std::uint64_t bits : values) {
    while (!to_decimal(bits, decimals)) {
      if (++decimals > kMaxDecimals) return std::nullopt;
    }
  }
  // More places may break what fewer could hold.
  for (const std::uint64_t bits : values) {
    if (!to_decimal(bits, decimals)) return std::nullopt;
  }
  for (std::uint64_t& bits : values) bits = *to_decimal(bits, decimals);
  return decimals;
}

// Returns what is coded of each step in the given form, at the listed ticks.
void predict(ColumnForm form, std::int64_t center, const TickList& ticks, ConstSteps steps,
             Steps coded) {
  std::int64_t before = 0;
  for (const std::uint16_t tick : ticks) {
    const std::int64_t step = steps[tick];
    coded[tick] = form == ColumnForm::kSteps   ? minus(step, center)
                  : form == ColumnForm::kBends ? minus(step, before)
                                               : step;
    before = step;
  }
}

// Turns what predict() made back into steps, in place.
void unpredict(ColumnForm form, std::int64_t center, const TickList& ticks, Steps steps) {
  std::int64_t before = 0;
  for (const std::uint16_t tick : ticks) {
    std::int64_t& step = steps[tick];
    if (form == ColumnForm::kSteps) step = plus(step, center);
    if (form == ColumnForm::kBends) step = plus(step, before);
    before = step;
  }
}

std::int64_t median(ConstSteps steps, const TickList& ticks, std::vector<std::int64_t>& scratch) {
  scratch.clear();
  for (const std::uint16_t tick : ticks) scratch.push_back(steps[tick]);
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), middle, scratch.end());
  return *middle;
}

// How one column moves where another does, and where it does not.
struct Comparison {
  std::size_t alone = 0;
  std::size_t both = 0;
  std::size_t equal = 0;  // of both
  int alone_width = 0;
  int plain_width = 0;  // of those that are not equal, by themselves and beyond the other's
  int residual_width = 0;

  double alone_bits() const { return bits(alone, alone_width); }
  double plain_bits() const { return bits(both - equal, plain_width); }
  double residual_bits() const { return bits(both - equal, residual_width); }
  static double bits(std::size_t count, int width) {
    return 1.5 * static_cast<double>(count) + width;
  }
};

Comparison compare(const Moves& moves, const Moves& other) {
  Comparison out;
  for (std::size_t word = 0; word < moves.ticks.size(); ++word) {
    for (std::uint64_t left = moves.ticks[word]; left != 0; left &= left - 1) {
      const std::size_t tick = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
      const std::int64_t step = moves.steps[tick];
      const std::int64_t beside = other.steps[tick];
      const int width = bit_length(size_of(step));
      if (beside == 0) {
        ++out.alone;
        out.alone_width += width;
        continue;
      }
      ++out.both;
      if (step == beside) {
        ++out.equal;
      } else {
        out.plain_width += width;
        out.residual_width += bit_length(size_of(minus(step, beside)));
      }
    }
  }
  return out;
}

bool has_slope(ColumnForm form) {
  return form == ColumnForm::kLine || form == ColumnForm::kSteps;
}
bool has_reference(ColumnForm form) {
  return form == ColumnForm::kBeside || form == ColumnForm::kResidual;
}
bool has_code(ColumnForm form) {
  return form >= ColumnForm::kSteps;
}

bool covers(const TickList& ticks, const Moves& moves) {
  std::size_t found = 0;
  for (const std::uint16_t tick : ticks) found += moves.steps[tick] != 0 ? 1U : 0U;
  return found == moves.count;
}

void put_few(Bytes& out, const Moves& moves) {
  put_varint(out, moves.count);
  std::size_t before = 0;
  for (std::size_t tick = 1; tick < moves.steps.size(); ++tick) {
    if (moves.steps[tick] == 0) continue;
    put_varint(out, tick - before - 1);
    put_zigzag(out, moves.steps[tick]);
    before = tick;
  }
}

// Returns how many bits the shortest of the numbers has that are not zero.
int shortest_of(const TickList& ticks, ConstSteps coded) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const std::uint16_t tick : ticks) {
    if (coded[tick] != 0) least = std::min(least, size_of(coded[tick]));
  }
  return bit_length(least);
}

TickList ticks_after_first(std::size_t ticks) {
  TickList all;
  for (std::size_t tick = 1; tick < ticks; ++tick) all.push_back(static_cast<std::uint16_t>(tick));
  return all;
}

}  // namespace

ColumnEncoder::ColumnEncoder(std::size_t ticks)
    : all_(ticks_after_first(ticks)), search_(ticks), coded_(ticks) {}

void ColumnEncoder::encode(std::span<std::uint64_t> values, const TickList* moving, bool real) {
  const std::uint64_t first = values[0];
  if (std::all_of(values.begin(), values.end(), [&](auto value) { return value == first; })) {
    out_.forms.push_back(static_cast<std::uint8_t>(ColumnForm::kConstant));
    put_varint(out_.bases, first);
    ++next_;
    return;
  }
  const auto decimals = real ? make_whole(values) : std::nullopt;
  put_varint(out_.bases, values[0]);
  to_steps(values);
  // Steps take the values' place: both are the same 64 bits, read as signed from here on.
  const Steps steps(reinterpret_cast<std::int64_t*>(values.data()), values.size());
  const std::uint64_t divisor = common_divisor(steps);
  divide(steps, divisor);
  Moves moves(steps);
  const bool listed = moving != nullptr && covers(*moving, moves);
  const Trial best = choose(listed ? *moving : all_, moves);

  const int flags = (decimals ? int{kDecimalFlag} : 0) | (listed ? 0 : int{kAllTicksFlag});
  out_.forms.push_back(static_cast<std::uint8_t>(flags | static_cast<int>(best.form)));
  if (decimals) out_.details.push_back(static_cast<std::uint8_t>(*decimals));
  put_varint(out_.details, divisor);
  put(best);
  search_.add(next_++, std::move(moves));
}

void ColumnEncoder::put(const Trial& trial) {
  if (trial.form == ColumnForm::kFew) put_bytes(out_.details, few_);
  if (has_slope(trial.form)) put_zigzag(out_.details, trial.slope);
  if (has_reference(trial.form)) put_varint(out_.details, next_ - trial.reference);
  if (!has_code(trial.form)) return;
  out_.details.push_back(static_cast<std::uint8_t>(trial.shortest));
  put_varint(out_.details, trial.code.size());
  put_bytes(out_.codes, trial.code);
}

ColumnEncoder::Trial ColumnEncoder::choose(const TickList& ticks, const Moves& moves) {
  const std::int64_t step = moves.steps[1];
  if (std::all_of(moves.steps.begin() + 1, moves.steps.end(), [&](auto s) { return s == step; })) {
    return {ColumnForm::kLine, step, 0, 0, 1, {}};
  }
  Trial best = plain_trial(ticks, moves);
  if (auto beside = reference_trial(moves); beside && beside->estimate < best.estimate) {
    best = std::move(*beside);
  }
  run(best, ticks, moves);
  if (moves.count <= kFewSteps) {
    few_.clear();
    put_few(few_, moves);
    if (few_.size() <= best.code.size() + kCodeDetails) return {ColumnForm::kFew, 0, 0, 0, 1, {}};
  }
  return best;
}

// Returns the form without a reference that seems smallest.
ColumnEncoder::Trial ColumnEncoder::plain_trial(const TickList& ticks, const Moves& moves) {
  Trial best{ColumnForm::kSteps, 0, 0, search_.bits_alone(moves), 1, {}};
  for (const std::uint16_t tick : ticks) best.estimate += bits_of(moves.steps[tick]);
  if (moves.count * 4 < ticks.size() * 3) return best;
  const std::int64_t center = median(moves.steps, ticks, scratch_);
  for (const ColumnForm form : {ColumnForm::kSteps, ColumnForm::kBends}) {
    const std::int64_t slope = form == ColumnForm::kSteps ? center : 0;
    predict(form, slope, ticks, moves.steps, coded_);
    double bits = bits_of(slope);
    for (const std::uint16_t tick : ticks) bits += bits_of(coded_[tick]);
    if (bits < best.estimate) best = {form, slope, 0, bits, 1, {}};
  }
  return best;
}

// Returns the form with the reference that seems smallest, if any column may serve as one.
std::optional<ColumnEncoder::Trial> ColumnEncoder::reference_trial(const Moves& moves) {
  std::optional<Trial> best;
  for (const std::uint32_t candidate : search_.candidates(moves)) {
    const Moves& other = search_.moves(candidate);
    const double where = search_.bits_given(moves, other) + kReferenceBits;
    if (best && where >= best->estimate) continue;
    const Comparison found = compare(moves, other);
    const double bits = where + search_.entropy(found.equal, found.both) + found.alone_bits() +
                        std::min(found.plain_bits(), found.residual_bits());
    if (best && bits >= best->estimate) continue;
    const bool residual = found.residual_bits() < found.plain_bits();
    best = Trial{residual ? ColumnForm::kResidual : ColumnForm::kBeside, 0, candidate, bits, 1, {}};
  }
  return best;
}

void ColumnEncoder::run(Trial& trial, const TickList& ticks, const Moves& moves) {
  predict(trial.form, trial.slope, ticks, moves.steps, coded_);
  StepContext context;
  if (has_reference(trial.form)) {
    context.reference = search_.moves(trial.reference).steps;
    context.residual = trial.form == ColumnForm::kResidual;
  }
  trial.shortest = context.shortest = shortest_of(ticks, coded_);
  StepModel model(context);
  RangeEncoder coder(trial.code);
  model.code(coder, ticks, coded_);
  coder.finish();
}

ColumnDecoder::ColumnDecoder(std::size_t ticks, std::vector<const TickList*> moving)
    : ticks_(ticks),
      all_(ticks_after_first(ticks)),
      moving_(std::move(moving)),
      steps_(moving_.size()) {}

base::Result<ColumnDecoder> ColumnDecoder::open(const Tables& tables, std::size_t ticks,
                                                std::vector<const TickList*> moving) {
  ColumnDecoder decoder(ticks, std::move(moving));
  ByteCursor bases(tables.bases);
  ByteCursor details(tables.details);
  ByteCursor codes(tables.codes);
  bool sound = tables.forms.size() == decoder.moving_.size();
  for (std::size_t i = 0; i < tables.forms.size() && sound; ++i) {
    sound = decoder.read_column(tables.forms[i], bases, details, codes);
  }
  if (sound && bases.ok() && details.ok() && codes.ok()) return decoder;
  return base::fail(base::ErrorKind::kCorrupt, "a block with unreadable columns");
}

bool ColumnDecoder::read_column(std::uint8_t form, ByteCursor& bases, ByteCursor& details,
                                ByteCursor& codes) {
  if ((form & kFormBits) > kLastForm) return false;
  Column column;
  column.form = static_cast<ColumnForm>(form & kFormBits);
  column.decimal = (form & kDecimalFlag) != 0;
  column.all_ticks = (form & kAllTicksFlag) != 0;
  const std::size_t left = bases.left() + details.left();
  column.first = bases.varint();
  if (column.form != ColumnForm::kConstant) {
    if (column.decimal) column.decimals = details.u8();
    column.divisor = details.varint();
    if (column.decimals > kMaxDecimals) return false;
  }
  if (column.form == ColumnForm::kFew && !read_few(details, column)) return false;
  if (has_slope(column.form)) column.slope = details.zigzag();
  if (has_reference(column.form)) {
    const std::uint64_t distance = details.varint();
    if (distance == 0 || distance > columns_.size()) return false;
    column.reference = static_cast<std::uint32_t>(columns_.size() - distance);
  }
  if (has_code(column.form)) {
    column.shortest = details.u8();
    if (column.shortest < 1 || column.shortest > 64) return false;
    column.code = codes.bytes(details.varint());
  }
  column.table_bytes = 1 + left - (bases.left() + details.left());
  columns_.push_back(column);
  return bases.ok() && details.ok() && codes.ok();
}

bool ColumnDecoder::read_few(ByteCursor& details, Column& column) const {
  ByteCursor ahead = details;
  std::uint64_t tick = 0;
  for (std::uint64_t left = ahead.varint(); left > 0; --left) {
    tick += ahead.varint() + 1;
    ahead.zigzag();
    if (!ahead.ok() || tick == 0 || tick >= ticks_) return false;
  }
  column.code = details.bytes(details.left() - ahead.left());
  return ahead.ok();
}

std::size_t ColumnDecoder::code_bytes(std::size_t column) const {
  return has_code(columns_[column].form) ? columns_[column].code.size() : 0;
}

void ColumnDecoder::decode(std::size_t column, std::span<std::uint64_t> out) {
  const Column& it = columns_[column];
  if (it.form == ColumnForm::kConstant) {
    std::fill(out.begin(), out.end(), it.first);
    return;
  }
  need_steps(column);
  const auto& steps = steps_[column];
  std::uint64_t value = it.first;
  for (std::size_t tick = 0; tick < ticks_; ++tick) {
    value += it.divisor * static_cast<std::uint64_t>(steps[tick]);
    out[tick] = value;
  }
  if (!it.decimal) return;
  for (std::uint64_t& bits : out) bits = from_decimal(bits, it.decimals);
}

// References reach back as far as they like, so they are followed without recursion.
void ColumnDecoder::need_steps(std::size_t column) {
  std::vector<std::size_t> chain;
  for (;;) {
    if (!steps_[column].empty()) break;
    chain.push_back(column);
    if (!has_reference(columns_[column].form)) break;
    column = columns_[column].reference;
  }
  for (; !chain.empty(); chain.pop_back()) decode_steps(chain.back());
}

void ColumnDecoder::decode_steps(std::size_t column) {
  const Column& it = columns_[column];
  auto& steps = steps_[column];
  steps.assign(ticks_, 0);
  if (it.form == ColumnForm::kConstant) return;
  if (it.form == ColumnForm::kLine) {
    std::fill(steps.begin() + 1, steps.end(), it.slope);
    return;
  }
  if (it.form == ColumnForm::kFew) {
    ByteCursor in(it.code);
    std::uint64_t tick = 0;
    for (std::uint64_t left = in.varint(); left > 0; --left) {
      tick += in.varint() + 1;
      steps[static_cast<std::size_t>(tick)] = in.zigzag();
    }
    return;
  }
  const bool listed = !it.all_ticks && moving_[column] != nullptr;
  const TickList& ticks = listed ? *moving_[column] : all_;
  StepContext context;
  if (has_reference(it.form)) {
    context.reference = steps_[it.reference];
    context.residual = it.form == ColumnForm::kResidual;
  }
  context.shortest = it.shortest;
  StepModel model(context);
  RangeDecoder coder(it.code);
  model.code(coder, ticks, steps);
  unpredict(it.form, it.slope, ticks, steps);
}

}  // namespace reveal::store
