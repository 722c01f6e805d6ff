#include "store/tick_patterns.h"

#include <algorithm>
#include <map>
#include <utility>

namespace reveal::store {
namespace {

constexpr std::uint8_t kMaxKinds = 4;

// Calls `visit(value, length)` for each run of equal values.
template <typename Values, typename Visit>
void for_each_run(const Values& values, Visit visit) {
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    visit(values[begin], end - begin);
    begin = end;
  }
}

}  // namespace

void TickPatterns::add_pattern(Pattern pattern) {
  TickList moving;
  for (std::size_t tick = 1; tick < pattern.size(); ++tick) {
    if ((pattern[tick] & 1U) != 0) moving.push_back(static_cast<std::uint16_t>(tick));
  }
  patterns_.push_back(std::move(pattern));
  moving_.push_back(std::move(moving));
}

std::uint32_t TickPatterns::intern(Pattern pattern) {
  const auto at = std::find(patterns_.begin(), patterns_.end(), pattern);
  const auto number = static_cast<std::uint32_t>(at - patterns_.begin());
  if (at == patterns_.end()) add_pattern(std::move(pattern));
  return number;
}

// Columns with the same number in each of the distinct rows have the same pattern, so that most
// patterns need not be written out to be compared.
void TickPatterns::add(const RowSet& rows, std::size_t columns) {
  std::map<Pattern, std::uint32_t> known;
  Pattern brief(rows.distinct().size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t i = 0; i < brief.size(); ++i) {
      const auto& row = rows.distinct()[i];
      brief[i] = column < row.size() ? row[column] : std::uint8_t{0};
    }
    auto at = known.find(brief);
    if (at == known.end()) {
      Pattern pattern(rows.ticks());
      for (std::size_t tick = 0; tick < pattern.size(); ++tick) {
        pattern[tick] = brief[rows.row_of()[tick]];
      }
      at = known.emplace(brief, intern(std::move(pattern))).first;
    }
    pattern_of_.push_back(at->second);
  }
}

void TickPatterns::put(Bytes& out) const {
  put_varint(out, patterns_.size());
  for (const Pattern& pattern : patterns_) {
    for_each_run(pattern, [&out](std::uint8_t value, std::size_t length) {
      out.push_back(value);
      put_varint(out, length);
    });
  }
  for_each_run(pattern_of_, [&out](std::uint32_t pattern, std::size_t length) {
    put_varint(out, pattern);
    put_varint(out, length);
  });
}

bool TickPatterns::read_pattern(ByteCursor& in, std::size_t ticks) {
  Pattern pattern;
  while (pattern.size() < ticks) {
    const std::uint8_t value = in.u8();
    const std::uint64_t length = in.varint();
    if (!in.ok() || value >= kMaxKinds || length == 0 || length > ticks - pattern.size()) {
      return false;
    }
    pattern.resize(pattern.size() + static_cast<std::size_t>(length), value);
  }
  add_pattern(std::move(pattern));
  return true;
}

bool TickPatterns::read(ByteCursor& in, std::size_t columns, std::size_t ticks,
                        std::uint64_t most) {
  const std::uint64_t count = in.varint();
  if (count > columns || count * ticks > most) return false;
  for (std::uint64_t left = count; left > 0; --left) {
    if (!read_pattern(in, ticks)) return false;
  }
  while (pattern_of_.size() < columns) {
    const std::uint64_t pattern = in.varint();
    const std::uint64_t length = in.varint();
    if (!in.ok() || pattern >= patterns_.size()) return false;
    if (length == 0 || length > columns - pattern_of_.size()) return false;
    pattern_of_.resize(pattern_of_.size() + static_cast<std::size_t>(length),
                       static_cast<std::uint32_t>(pattern));
  }
  return true;
}

}  // namespace reveal::store
