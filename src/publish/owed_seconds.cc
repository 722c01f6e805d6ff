#include "publish/owed_seconds.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/new_file.h"
#include "base/whole_file.h"
#include "text/bounded_number.h"

namespace reveal::publish {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

// Returns the two numbers of a line; nothing if it has others.
std::optional<Seconds> numbers_of(std::string_view line) {
  const auto space = line.find(' ');
  if (space == line.npos) return std::nullopt;
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  const auto begin = text::number_within<std::int64_t>(line.substr(0, space), 0, kLast);
  const auto end = text::number_within<std::int64_t>(line.substr(space + 1), 0, kLast);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Seconds{*begin, *end};
}

}  // namespace

OwedSeconds::OwedSeconds(std::filesystem::path file) : file_(std::move(file)) {
  if (auto loaded = load(); !loaded) {
    spans_.clear();
    until_ns_ = 0;
    trouble_ = loaded.error().message();
  }
}

void OwedSeconds::pass(Seconds bucket) {
  // Before the first one nothing is known; and a clock that was set back says nothing of between.
  const bool is_first = until_ns_ == 0;
  const bool knows_since = !is_first && bucket.end_ns > until_ns_;
  const auto since_ns = std::max(until_ns_, bucket.end_ns - kOldest_ns);
  owe({knows_since ? since_ns : bucket.begin_ns, bucket.end_ns});
  until_ns_ = bucket.end_ns;
  changed_ = true;
  settle({std::numeric_limits<std::int64_t>::min(), bucket.end_ns - kOldest_ns});
  while (spans_.size() > kMaxSpans) join_nearest();
  if (is_first) save();
}

void OwedSeconds::owe(Seconds seconds) {
  auto [begin_ns, end_ns] = seconds;
  auto after = spans_.upper_bound(begin_ns);
  if (after != spans_.begin() && std::prev(after)->second >= begin_ns) --after;
  while (after != spans_.end() && after->first <= end_ns) {
    begin_ns = std::min(begin_ns, after->first);
    end_ns = std::max(end_ns, after->second);
    after = spans_.erase(after);
  }
  if (begin_ns < end_ns) spans_.emplace(begin_ns, end_ns);
}

void OwedSeconds::join_nearest() {
  auto nearest = spans_.begin();
  auto least_ns = std::numeric_limits<std::int64_t>::max();
  for (auto it = spans_.begin(); std::next(it) != spans_.end(); ++it) {
    const auto apart_ns = std::next(it)->first - it->second;
    if (apart_ns >= least_ns) continue;
    least_ns = apart_ns;
    nearest = it;
  }
  owe({nearest->first, std::next(nearest)->second});
}

void OwedSeconds::settle(Seconds told) {
  if (told.begin_ns >= told.end_ns) return;
  auto it = spans_.upper_bound(told.begin_ns);
  if (it != spans_.begin()) --it;
  while (it != spans_.end() && it->first < told.end_ns) {
    const auto [begin_ns, end_ns] = *it;
    if (end_ns <= told.begin_ns) {
      ++it;
      continue;
    }
    it = spans_.erase(it);
    changed_ = true;
    if (begin_ns < told.begin_ns) spans_.emplace(begin_ns, told.begin_ns);
    if (end_ns > told.end_ns) spans_.emplace(told.end_ns, end_ns);
  }
}

std::optional<Seconds> OwedSeconds::newest(std::int64_t until_ns, std::int64_t longest_ns) const {
  auto it = spans_.lower_bound(until_ns);
  if (it == spans_.begin()) return std::nullopt;
  Seconds out{until_ns, std::min(std::prev(it)->second, until_ns)};
  const auto oldest_ns = out.end_ns - longest_ns;
  while (it != spans_.begin() && std::prev(it)->second > oldest_ns) {
    --it;
    out.begin_ns = std::max(it->first, oldest_ns);
  }
  return out;
}

bool OwedSeconds::owes(Seconds seconds) const {
  const auto after = spans_.lower_bound(seconds.end_ns);
  return after != spans_.begin() && std::prev(after)->second > seconds.begin_ns;
}

std::int64_t OwedSeconds::total_ns() const {
  std::int64_t out = 0;
  for (const auto& [begin_ns, end_ns] : spans_) out += end_ns - begin_ns;
  return out;
}

// The first line has up to when all is known; the others have a span each.
base::Result<void> OwedSeconds::load() {
  const auto text = base::read_whole_file(file_, "state of what the fleet is owed", kMostBytes);
  if (!text && text.error().kind == base::ErrorKind::kAbsent) return {};
  if (!text) return base::pass(text);
  bool is_first = true;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto numbers = numbers_of(line);
    if (!numbers) {
      return base::fail(base::ErrorKind::kCorrupt, "is not what the agent wrote", file_.string(),
                        "remove it: the fleet is not told of the seconds that it lacks");
    }
    if (std::exchange(is_first, false)) {
      until_ns_ = numbers->end_ns;
    } else {
      owe(*numbers);
    }
  }
  while (spans_.size() > kMaxSpans) join_nearest();
  return {};
}

void OwedSeconds::save() {
  if (!changed_) return;
  std::string text = fmt::format("0 {}\n", until_ns_);
  for (const auto& [begin_ns, end_ns] : spans_) {
    text += fmt::format("{} {}\n", begin_ns, end_ns);
  }
  if (auto saved = base::write_new_file(file_, text); !saved) {
    trouble_ = saved.error().message();
    return;
  }
  changed_ = false;
}

}  // namespace reveal::publish
