// One column of a block, a value for each tick, to bytes and back, bit for bit:
// docs/storage_format.md, "Columns". The numbered forms below say how a column is told; the encoder
// tries those that may suit and keeps the smallest. A column may refer to an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "store/bytes.h"
#include "store/reference_search.h"
#include "store/step_model.h"

namespace reveal::store {

inline constexpr std::size_t kMaxTicks = 4096;  // of a block

enum class ColumnForm : std::uint8_t {
  kConstant = 0,  // one value
  kLine = 1,      // the same step at every tick
  kFew = 2,       // a list of the steps that are not zero
  kSteps = 3,     // range-coded: what each step is beyond the center
  kBends = 4,     // range-coded: what each step is beyond the one before
  kBeside = 5,    // range-coded: steps against those of a reference, plain where they differ
  kResidual = 6,  // as kBeside, but where they differ, the difference
};

// Where the bytes of columns go. Forms, bases and details are compressed together; a range code
// stands alone, so that one column can be read without the rest.
struct ColumnSections {
  Bytes forms;    // a byte for each column
  Bytes bases;    // the first value of each
  Bytes details;  // what else a form needs
  Bytes codes;    // range codes
};

// Encodes the columns of one block, in order.
class ColumnEncoder {
 public:
  // REQUIRES: 1 <= ticks <= kMaxTicks.
  explicit ColumnEncoder(std::size_t ticks);

  // Appends a column of as many values as the block has ticks, or of one that it has at all of
  // them. `moving` are the ticks at which it may have changed, nullptr for all; `real` says that
  // the values are binary64. The memory of `values` is used up, and must stay until the last column
  // is encoded: later columns may refer to this one.
  void encode(std::span<std::uint64_t> values, const TickList* moving, bool real);

  const ColumnSections& sections() const { return out_; }

 private:
  struct Trial {
    ColumnForm form = ColumnForm::kSteps;
    std::int64_t slope = 0;
    std::uint32_t reference = 0;
    double estimate = 0;  // bits
    int shortest = 1;     // as in StepContext
    Bytes code;
  };

  Trial choose(const TickList& ticks, const Moves& moves);
  Trial plain_trial(const TickList& ticks, const Moves& moves);
  std::optional<Trial> reference_trial(const Moves& moves);
  void run(Trial& trial, const TickList& ticks, const Moves& moves);
  void put(const Trial& trial);

  std::uint32_t next_ = 0;  // number of the next column
  TickList all_;
  ReferenceSearch search_;
  ColumnSections out_;
  std::vector<std::int64_t> coded_;
  std::vector<std::int64_t> scratch_;
  Bytes few_;
};

// Reads the columns of one block, all or some.
class ColumnDecoder {
 public:
  struct Tables {
    ByteView forms;
    ByteView bases;
    ByteView details;
    ByteView codes;
  };

  // Takes the tables apart; they must outlive this object. `moving` has for each column what the
  // encoder was given. Fails if the tables are not what they claim to be.
  static base::Result<ColumnDecoder> open(const Tables& tables, std::size_t ticks,
                                          std::vector<const TickList*> moving);

  std::size_t size() const { return columns_.size(); }
  bool constant(std::size_t column) const { return columns_[column].form == ColumnForm::kConstant; }
  std::uint64_t first(std::size_t column) const { return columns_[column].first; }
  // Returns how many bytes say the column in the tables, and in the codes.
  std::size_t table_bytes(std::size_t column) const { return columns_[column].table_bytes; }
  std::size_t code_bytes(std::size_t column) const;

  // Writes the column's values to `out`, one for each tick.
  void decode(std::size_t column, std::span<std::uint64_t> out);

 private:
  struct Column {
    ColumnForm form = ColumnForm::kConstant;
    bool decimal = false;
    bool all_ticks = false;
    std::uint8_t decimals = 0;
    std::uint32_t reference = 0;
    std::uint64_t first = 0;  // as the steps count: a decimal's whole number
    std::uint64_t divisor = 1;
    std::int64_t slope = 0;
    int shortest = 1;
    ByteView code;  // a range code, or the list of a few
    std::size_t table_bytes = 0;
  };

  ColumnDecoder(std::size_t ticks, std::vector<const TickList*> moving);
  bool read_column(std::uint8_t form, ByteCursor& bases, ByteCursor& details, ByteCursor& codes);
  bool read_few(ByteCursor& details, Column& column) const;
  void need_steps(std::size_t column);
  void decode_steps(std::size_t column);

  std::size_t ticks_;
  TickList all_;
  std::vector<const TickList*> moving_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::int64_t>> steps_;  // by column; empty until decoded
};

}  // namespace reveal::store
