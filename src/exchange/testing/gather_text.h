// Gathers texts, for tests of readers.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/foreign_csv.h"
#include "exchange/gathering.h"

namespace reveal::exchange::test_texts {

// Reads a text as gather_csv() reads a file of that name.
inline base::Result<Gathering> gather_text(std::string text, const std::string& name) {
  Gathering out;
  const auto done =
      gather_csv_records(CsvRecords(TextInput::from_memory(std::move(text), name), 0), {}, out);
  if (!done) return base::pass(done);
  return out;
}

// Returns the series "metric{instance}", or nullptr.
inline const Series* find_series(const Gathering& all, std::string_view name) {
  const auto found = std::ranges::find_if(all.all(), [&](const Series& one) {
    return (one.instance.empty() ? one.metric : one.metric + "{" + one.instance + "}") == name;
  });
  return found == all.all().end() ? nullptr : &*found;
}

// Returns the samples of a series as real numbers, in its file's unit; none if it is not there.
inline std::vector<double> values(const Gathering& all, std::string_view name) {
  std::vector<double> out;
  const Series* series = find_series(all, name);
  if (series == nullptr) return out;
  for (const auto bits : series->bits) {
    out.push_back(series->real ? std::bit_cast<double>(bits) : static_cast<double>(bits));
  }
  return out;
}

}  // namespace reveal::exchange::test_texts
