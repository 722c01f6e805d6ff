#include "analyser/past_work.h"

#include <utility>

#include "peers/incident_book.h"
#include "text/character.h"
#include "wire/fields.h"

namespace reveal::analyser {
namespace {

// Returns nothing if these are not pairs of hexadecimal digits.
std::optional<wire::Bytes> bytes_of(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  wire::Bytes out;
  out.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = text::hex_digit(digits[i]);
    const auto low = text::hex_digit(digits[i + 1]);
    if (!high || !low) return std::nullopt;
    out.push_back(static_cast<std::uint8_t>(*high << 4 | *low));
  }
  return out;
}

bool may_pass(const base::Error& error) {
  return error.kind == base::ErrorKind::kBusy || error.kind == base::ErrorKind::kAway;
}

}  // namespace

void PastWork::take(std::span<const peers::LateSecond> seconds, const peers::Fleet& fleet,
                    std::int64_t steady_ns) {
  for (const auto& one : seconds) {
    const auto group = fleet.group_of(one.host);
    // Of a time before it had this job, or with another one, the group knows nothing.
    if (one.head.head.time_ns < fleet.in_group_since_ns(one.host)) continue;
    if (!group.empty()) gaps_.take(group, one.head.head.time_ns, one.stored_ns, steady_ns);
  }
}

base::Result<std::optional<PastWork::Done>> PastWork::round(Keeper& keeper,
                                                            const peers::Fleet& fleet,
                                                            const IsOurs& is_ours,
                                                            std::int64_t now_ns,
                                                            std::int64_t steady_ns) {
  if (work_ && !is_ours(work_->gap.group)) put_back(steady_ns);
  if (!work_) {
    if (auto begun = begin(keeper, fleet, is_ours, now_ns, steady_ns); !begun) {
      return base::pass(begun);
    }
  }
  if (!work_) return std::optional<Done>();
  auto done = go_on(keeper);
  if (done || !may_pass(done.error())) return done;
  put_back(steady_ns);
  return std::optional<Done>();
}

void PastWork::put_back(std::int64_t steady_ns) {
  gaps_.put_back(work_->gap, steady_ns);
  work_.reset();
}

base::Result<void> PastWork::begin(Keeper& keeper, const peers::Fleet& fleet, const IsOurs& is_ours,
                                   std::int64_t now_ns, std::int64_t steady_ns) {
  auto gap = gaps_.take_ready(steady_ns, is_ours);
  if (!gap) return {};
  const auto* group = fleet.find_group(gap->group);
  // All of its hosts have left.
  if (group == nullptr) return {};
  const auto is_known = keeper.has_gap(*gap);
  if (!is_known) {
    gaps_.put_back(*gap, steady_ns);
    return may_pass(is_known.error()) ? base::Result<void>() : base::pass(is_known);
  }
  if (*is_known) return {};
  auto judge = std::make_unique<peers::PastJudge>(*group, now_ns);
  work_ = Work{.gap = *gap,
               .last = {.host = {}, .begin_ns = gap->begin_ns, .message = {}},
               .judge = std::move(judge),
               .since_ns = {}};
  for (const auto* host : group->hosts()) {
    work_->since_ns[host->id()] = fleet.in_group_since_ns(host->id());
  }
  return {};
}

base::Result<std::optional<PastWork::Done>> PastWork::go_on(Keeper& keeper) {
  auto rows = keeper.late_seconds(work_->gap.group, work_->last, work_->gap.end_ns);
  if (!rows) return base::pass(rows);
  for (const auto& row : *rows) {
    const auto since = work_->since_ns.find(row.host);
    if (since != work_->since_ns.end() && row.begin_ns < since->second) continue;
    // One that cannot be read is one that is missing.
    if (const auto message = bytes_of(row.message)) {
      static_cast<void>(work_->judge->take(row.host, *message));
    }
  }
  if (rows->size() == Keeper::kMaxAtOnce) {
    work_->last = std::move(rows->back());
    return std::optional<Done>();
  }
  auto done = finish(keeper);
  if (!done) return base::pass(done);
  return std::optional(std::move(*done));
}

// What is read from the database comes first: it may fail, and then all is done again.
base::Result<PastWork::Done> PastWork::finish(Keeper& keeper) {
  auto told = keeper.incidents_since(work_->gap.group, work_->gap.begin_ns - peers::kTogether_ns);
  if (!told) return base::pass(told);
  auto& judge = *work_->judge;
  Done out{.gap = work_->gap, .found = judge.finish(), .told = std::move(*told)};
  out.gap.hosts = judge.hosts();
  out.gap.judged_seconds = judge.judged();
  out.gap.incidents = out.found.size();
  work_.reset();
  return out;
}

}  // namespace reveal::analyser
