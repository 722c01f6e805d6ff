#include "store/column_codec.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using Values = std::vector<std::uint64_t>;

struct Encoded {
  ColumnSections sections;
  std::size_t ticks = 0;
  std::vector<const TickList*> moving;

  ColumnForm form(std::size_t column) const {
    return static_cast<ColumnForm>(sections.forms[column] & 0x0F);
  }
  base::Result<ColumnDecoder> open() const {
    return ColumnDecoder::open({sections.forms, sections.bases, sections.details, sections.codes},
                               ticks, moving);
  }
};

Encoded encode(std::vector<Values> columns, bool real = false, const TickList* moving = nullptr) {
  Encoded out;
  out.ticks = columns[0].size();
  ColumnEncoder encoder(out.ticks);
  for (Values& values : columns) encoder.encode(values, moving, real);
  out.sections = encoder.sections();
  out.moving.assign(columns.size(), moving);
  return out;
}

void expect_same(const Encoded& encoded, const std::vector<Values>& columns) {
  auto decoder = encoded.open();
  ASSERT_TRUE(decoder) << decoder.error().message();
  // Backwards, so that every reference is met before what it refers to.
  for (std::size_t i = columns.size(); i > 0; --i) {
    Values got(encoded.ticks);
    decoder->decode(i - 1, got);
    ASSERT_EQ(got, columns[i - 1]) << "column " << i - 1;
  }
}

Values counter(base::Rng& rng, std::size_t ticks, std::uint64_t unit, int busy) {
  Values out;
  std::uint64_t value = rng.next() >> 30;
  for (std::size_t t = 0; t < ticks; ++t) {
    if (rng.below(100) < static_cast<std::uint64_t>(busy)) value += unit * (1 + rng.below(20));
    out.push_back(value);
  }
  return out;
}

TEST(ColumnCodec, BringsEveryValueBack) {
  base::Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t ticks = 1 + rng.below(700);
    std::vector<Values> columns;
    for (std::size_t i = 0; i < 12; ++i) {
      Values values;
      switch (rng.below(6)) {
        case 0:
          values.assign(ticks, testing_run::awkward_bits(rng));
          break;
        case 1:
          for (std::size_t t = 0; t < ticks; ++t) values.push_back(testing_run::awkward_bits(rng));
          break;
        case 2:
          values = counter(rng, ticks, 4096, 80);
          break;
        case 3:
          values = counter(rng, ticks, 1, 2);
          break;
        case 4:
          for (std::size_t t = 0; t < ticks; ++t) values.push_back(77 - 5 * t);
          break;
        default:
          values = columns.empty() ? Values(ticks, 3) : columns[rng.below(columns.size())];
          for (auto& value : values) value += rng.below(9) == 0 ? rng.below(100) : 0;
      }
      columns.push_back(values);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(encode(columns, rng.below(2) == 0), columns));
  }
}

TEST(ColumnCodec, TellsColumnsTheShortestWay) {
  base::Rng rng(2);
  const std::size_t ticks = 600;
  const auto busy = counter(rng, ticks, 1, 70);
  auto bytes = busy;
  for (auto& value : bytes) value *= 4096;
  auto nearly = busy;
  for (std::size_t t = 0; t < ticks; ++t) nearly[t] += t / 7;
  Values line;
  Values noisy = {1};
  Values ramp = {0};
  for (std::size_t t = 0; t < ticks; ++t) {
    line.push_back(5 + 3 * t);
    if (t > 0) noisy.push_back(noisy.back() + 1'000'000 + rng.below(40'000));
    if (t > 0) ramp.push_back(ramp.back() + 1000 * t + rng.below(50));
  }
  Values few(ticks, 9);
  few[300] = 11;
  const std::vector<Values> columns = {Values(ticks, 4), ramp, few, busy, bytes, noisy, line};
  const auto encoded = encode(columns);
  expect_same(encoded, columns);
  EXPECT_EQ(encoded.form(0), ColumnForm::kConstant);
  EXPECT_EQ(encoded.form(1), ColumnForm::kBends);
  EXPECT_EQ(encoded.form(2), ColumnForm::kFew);
  EXPECT_EQ(encoded.form(3), ColumnForm::kSteps);
  EXPECT_EQ(encoded.form(4), ColumnForm::kBeside);  // the same, in another unit
  EXPECT_EQ(encoded.form(5), ColumnForm::kSteps);
  EXPECT_EQ(encoded.form(6), ColumnForm::kLine);
  auto decoder = encoded.open();
  ASSERT_TRUE(decoder);
  EXPECT_LE(decoder->table_bytes(4) + decoder->code_bytes(4), 24u);
  // Noise of 40,000 equally likely steps: log2 is 15.3 bits, which nothing can beat.
  EXPECT_LE(decoder->table_bytes(5) + decoder->code_bytes(5), ticks * 15.3 / 8 * 1.03);
  EXPECT_GE(decoder->table_bytes(5) + decoder->code_bytes(5), ticks * 15.2 / 8);
}

TEST(ColumnCodec, DecimalFractionsAreAsCheapAsWholeNumbers) {
  base::Rng rng(3);
  Values whole;
  Values decimal;
  for (int t = 0; t < 600; ++t) {
    const std::uint64_t value = rng.below(400);
    whole.push_back(value);
    decimal.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(value) / 100));
  }
  const auto as_whole = encode({whole});
  const auto as_decimal = encode({decimal}, true);
  expect_same(as_decimal, {decimal});
  EXPECT_LE(as_decimal.sections.codes.size(), as_whole.sections.codes.size() + 8);
}

TEST(ColumnCodec, RealNumbersThatAreNoDecimalsComeBackToo) {
  base::Rng rng(4);
  Values values;
  for (int t = 0; t < 600; ++t) {
    values.push_back(std::bit_cast<std::uint64_t>(std::sin(0.01 * t)));
  }
  values[7] = std::bit_cast<std::uint64_t>(-0.0);
  values[9] = 0x7FF8'0000'0000'0123;
  expect_same(encode({values}, true), {values});
  Values zeros(600, 0);
  zeros[3] = std::bit_cast<std::uint64_t>(-0.0);
  expect_same(encode({zeros}, true), {zeros});
}

TEST(ColumnCodec, CodesOnlyTheTicksAtWhichAColumnWasRead) {
  base::Rng rng(5);
  TickList moving;
  Values values(600, 50);
  for (std::uint16_t t = 1; t < 600; ++t) {
    values[t] = values[t - 1];
    if (t % 10 != 3) continue;
    moving.push_back(t);
    values[t] += rng.below(30);
  }
  const auto all = encode({values});
  const auto listed = encode({values}, false, &moving);
  expect_same(listed, {values});
  EXPECT_LT(listed.sections.codes.size(), all.sections.codes.size());
  // A value that changes if nobody read it is told all the same.
  values[8] += 1;
  expect_same(encode({values}, false, &moving), {values});
}

TEST(ColumnCodec, DamagedTablesAreRefusedOrDecodeToSomething) {
  base::Rng rng(6);
  std::vector<Values> columns;
  for (int i = 0; i < 10; ++i) columns.push_back(counter(rng, 100, 1, 10 * i));
  const auto sound = encode(columns);
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = sound;
    Bytes* const tables[] = {&damaged.sections.forms, &damaged.sections.bases,
                             &damaged.sections.details, &damaged.sections.codes};
    Bytes& table = *tables[rng.below(4)];
    if (rng.below(3) == 0) {
      table.resize(rng.below(table.size() + 1));
    } else {
      table[rng.below(table.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255));
    }
    auto decoder = damaged.open();
    if (!decoder) continue;
    Values out(damaged.ticks);
    for (std::size_t i = 0; i < decoder->size(); ++i) decoder->decode(i, out);
  }
}

}  // namespace
}  // namespace reveal::store
