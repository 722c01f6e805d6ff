#include "store/validity_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace reveal::store {
namespace {

using model::Validity;

static_assert(static_cast<int>(Validity::kMissing) == 0);
static_assert(static_cast<int>(Validity::kFresh) == 1);
static_assert(static_cast<int>(Validity::kStale) == 2);
static_assert(static_cast<int>(Validity::kReset) == 3);

struct Run {
  std::size_t begin;
  std::size_t end;
};

// Returns the first run at or after `from` of one validity other than fresh; empty at the end.
Run next_run(std::span<const Validity> validity, std::size_t from) {
  while (from < validity.size() && validity[from] == Validity::kFresh) ++from;
  std::size_t end = from;
  while (end < validity.size() && validity[end] == validity[from]) ++end;
  return {from, end};
}

std::uint64_t count_runs(std::span<const Validity> validity) {
  std::uint64_t count = 0;
  for (Run run = next_run(validity, 0); run.begin < run.end; run = next_run(validity, run.end)) {
    ++count;
  }
  return count;
}

bool read_run(ByteCursor& in, std::span<Validity>& rest) {
  const std::uint64_t skip = in.varint();
  const std::uint64_t length = in.varint();
  const std::uint8_t value = in.u8();
  if (!in.ok() || value > static_cast<std::uint8_t>(Validity::kReset)) return false;
  if (skip > rest.size() || length > rest.size() - skip) return false;
  const auto run = rest.subspan(static_cast<std::size_t>(skip), static_cast<std::size_t>(length));
  std::fill(run.begin(), run.end(), static_cast<Validity>(value));
  rest = rest.subspan(static_cast<std::size_t>(skip + length));
  return true;
}

}  // namespace

void put_validity(Bytes& out, std::span<const Validity> validity) {
  put_varint(out, count_runs(validity));
  std::size_t before = 0;
  for (Run run = next_run(validity, 0); run.begin < run.end; run = next_run(validity, run.end)) {
    put_varint(out, run.begin - before);
    put_varint(out, run.end - run.begin);
    out.push_back(static_cast<std::uint8_t>(validity[run.begin]));
    before = run.end;
  }
}

bool read_validity(ByteCursor& in, std::span<Validity> validity) {
  std::fill(validity.begin(), validity.end(), Validity::kFresh);
  for (std::uint64_t runs = in.varint(); runs > 0; --runs) {
    if (!read_run(in, validity)) return false;
  }
  return in.ok();
}

}  // namespace reveal::store
