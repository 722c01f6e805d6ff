#include "procfs/loadavg.h"

#include <algorithm>
#include <array>

#include "procfs/fixed_point.h"

namespace reveal::procfs {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"1min", "5min", "15min", "runnable", "tasks"};
constexpr std::size_t kLoads = 3;
using Numbers = std::array<Value, kKeys.size()>;

Numbers parse(std::string_view text) {
  Numbers out;
  std::string_view line;
  if (!LineCursor(text).next(line)) return out;
  WordCursor words(line);
  std::string_view word;
  for (std::size_t i = 0; i < kLoads && words.next(word); ++i) out[i] = parse_hundredths(word);
  if (!words.next(word)) return out;
  const auto slash = word.find('/');
  if (slash == std::string_view::npos) return out;
  out[kLoads] = parse_u64(word.substr(0, slash));
  out[kLoads + 1] = parse_u64(word.substr(slash + 1));
  return out;
}

}  // namespace

void LoadavgLayout::read(std::string_view text, std::span<Value> values) const {
  const Numbers numbers = parse(text);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto found = std::find(kKeys.begin(), kKeys.end(), keys_[i]);
    values[i] = found == kKeys.end() ? std::nullopt
                                     : numbers[static_cast<std::size_t>(found - kKeys.begin())];
  }
}

}  // namespace reveal::procfs
