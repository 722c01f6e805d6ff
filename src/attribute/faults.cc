#include "attribute/faults.h"

#include <algorithm>
#include <utility>

#include "model/cgroup_instance.h"

namespace reveal::attribute {
namespace {

using model::Subsystem;

bool is_of_processors(const Doer& doer) {
  return doer.subsystem == Subsystem::kCpu;
}

// Returns whether the same group or process is told to have done both.
bool have_same_culprit(const model::ChannelTable& channels, const Doer& first, const Doer& second) {
  if (first.process && second.process && first.process->pid == second.process->pid) return true;
  if (!first.culprit || !second.culprit) return false;
  const auto group = [&](const Doer& one) -> std::string_view {
    return model::group_of(channels.channel(one.culprit->channel).instance);
  };
  return model::are_of_one_line(group(first), group(second));
}

// The latest are the last.
template <typename List>
auto* find(const Fault& fault, List& findings) {
  const auto found = std::find_if(findings.rbegin(), findings.rend(), [&](const Finding& one) {
    return one.windows.front().span.id == fault.first;
  });
  return found == findings.rend() ? nullptr : &*found;
}

// Returns the first and the last: what is told of windows together looks at no other.
std::vector<FlaggedWindow> ends_of(const std::vector<FlaggedWindow>& windows) {
  return {{windows.front().span, {}}, {windows.back().span, {}}};
}

}  // namespace

Finding* finding_of(const Fault& fault, std::vector<Finding>& findings) {
  return find(fault, findings);
}

const Finding* finding_of(const Fault& fault, const std::vector<Finding>& findings) {
  return find(fault, findings);
}

bool have_own_causes(const model::ChannelTable& channels, const Doer& first, const Doer& second,
                     bool clear) {
  if (have_same_culprit(channels, first, second)) return false;
  if (second.culprit || second.process) return true;
  return clear || (!is_of_processors(first) && !is_of_processors(second));
}

void Faults::go_on(const Finding& finding, Tally tally) {
  open_.push_back({finding.windows.front().span.id, std::move(tally)});
}

void Faults::add(std::size_t row, const Blame& blame, const Readers& readers,
                 std::vector<Finding>& findings) {
  stalled_by_.reset();
  if (judge_) {
    if (attributor_.is_stalled(*judge_, row)) {
      stalled_by_ = clearly_one(attributor_.subsystems(*judge_, row), kClearly);
    }
    follow_concurrence(row);
    if (open_.size() == 1) follow_succession(row, findings);
  }
  add_to_open(row, blame, findings);
  add_to_next(row, blame);
  open_what_counts(readers, findings);
  if (std::exchange(taken_over_, false) && after_) hand_over(findings);
}

void Faults::follow_concurrence(std::size_t row) {
  using Step = Concurrence::Step;
  steps_ = concurrence_.take(matrix_.window(row), attributor_.stalls(*judge_, row));
  for (std::size_t place = 0; place < steps_.size(); ++place) {
    if (steps_[place] == Step::kMayBegin) beside_[place] = Next{{}, attributor_.begin()};
    if (steps_[place] == Step::kHasNot) beside_[place].reset();
    if (steps_[place] == Step::kEnds) end_at(place);
  }
}

// The last one goes on as long as windows belong together.
void Faults::end_at(std::size_t place) {
  if (open_.size() < 2) return;
  auto over = std::find_if(open_.begin(), open_.end(),
                           [&](const Fault& one) { return one.place == place; });
  if (over == open_.end()) over = open_.begin();  // it is the first one's
  ended_.push_back(std::move(*over));
  open_.erase(over);
  open_.front().place.reset();
  ask_anew();
}

void Faults::follow_succession(std::size_t row, const std::vector<Finding>& findings) {
  const bool alarmed = attributor_.flags(*judge_, row);
  const auto step = succession_.take(matrix_.window(row), stalled_by_, alarmed);
  taken_over_ = step == Succession::Step::kTakesOver;
  if (step == Succession::Step::kHasNot) after_.reset();
  if (step != Succession::Step::kMayBegin) return;
  const auto* finding = finding_of(open_.front(), findings);
  if (finding == nullptr) return;
  before_ = Before{*finding, open_.front().tally};
  after_ = Next{{}, attributor_.begin()};
}

bool Faults::stalls(const Fault& fault) const {
  const auto place = fault.place ? fault.place : concurrence_.first();
  return place && concurrence_.stalls(*place);
}

// Returns the families by which a fault is told: its own or, of the first, those of no other.
Families Faults::families_of(const Fault& fault) const {
  if (fault.place) return concurrence_.families(*fault.place);
  Families out = all_families();
  for (const auto& other : open_) {
    if (other.place) out &= ~concurrence_.families(*other.place);
  }
  return out;
}

// A window that no fault stalls by itself is of those that had the one before it.
void Faults::add_to_open(std::size_t row, const Blame& blame, std::vector<Finding>& findings) {
  if (open_.empty()) {
    Finding finding;
    open_.push_back({matrix_.window(row).id, attributor_.begin()});
    attributor_.add(row, blame, open_.front().tally, finding);
    findings.push_back(std::move(finding));
    return;
  }
  const bool is_known =
      std::any_of(open_.begin(), open_.end(), [&](const Fault& fault) { return stalls(fault); });
  if (is_known || open_.size() == 1) {
    for (auto& fault : open_) fault.has_latest = open_.size() == 1 || stalls(fault);
  }
  for (auto& fault : open_) {
    auto* finding = finding_of(fault, findings);
    if (!fault.has_latest || finding == nullptr) continue;
    if (open_.size() == 1) {
      attributor_.add(row, blame, fault.tally, *finding);
    } else {
      const auto families = families_of(fault);
      attributor_.add(row, attributor_.part_of(blame, families), fault.tally, *finding, families);
    }
  }
}

void Faults::add_to_next(std::size_t row, const Blame& blame) {
  if (after_) attributor_.add(row, blame, after_->tally, after_->finding);
  for (std::size_t place = 0; place < beside_.size(); ++place) {
    auto& next = beside_[place];
    if (!next || !concurrence_.stalls(place)) continue;
    const auto families = concurrence_.families(place);
    attributor_.add(row, attributor_.part_of(blame, families), next->tally, next->finding,
                    families);
    const bool is_clear = stalled_by_ && has(families, *stalled_by_);
    if (is_clear && !std::exchange(next->clear, true)) next->ask_with = 0;
  }
}

void Faults::open_what_counts(const Readers& readers, std::vector<Finding>& findings) {
  for (std::size_t place = 0; place < beside_.size(); ++place) {
    auto& next = beside_[place];
    if (!next || steps_[place] != Concurrence::Step::kCounts) continue;
    if (next->tally.rows.size() < next->ask_with) continue;
    ++asked_;
    next->ask_with = 2 * next->tally.rows.size();
    if (has_own_cause(*next, readers, findings)) open(place, findings);
  }
}

void Faults::ask_anew() {
  for (auto& next : beside_) {
    if (next) next->ask_with = 0;
  }
}

void Faults::open(std::size_t place, std::vector<Finding>& findings) {
  auto& next = beside_[place];
  const auto families = concurrence_.families(place);
  open_.front().tally.take_out(next->tally);
  for (auto& fault : open_) {
    fault.tally.take_out(families, next->tally.rows.front());
    for (const auto& [first, doer] : next->before) {
      if (first == fault.first && !fault.tally.doer) fault.tally.doer = doer;
    }
    auto* finding = finding_of(fault, findings);
    if (finding == nullptr || !finding->stall) continue;
    const auto told_by = channels_.metric(finding->stall->channel).subsystem;
    if (has(families, told_by)) finding->stall.reset();
  }
  open_.push_back({next->finding.windows.front().span.id, std::move(next->tally), place});
  std::sort(open_.begin() + 1, open_.end(),
            [](const Fault& a, const Fault& b) { return a.first.value() < b.first.value(); });
  concurrence_.open(place);
  const auto after = std::find_if(findings.rbegin(), findings.rend(), [&](const Finding& one) {
    return one.windows_begin_ns() <= next->finding.windows_begin_ns();
  });
  findings.insert(after.base(), std::move(next->finding));
  next.reset();
  succession_ = {};
  before_.reset();
  after_.reset();
  ask_anew();
}

// Who did the others shows before it begins.
bool Faults::has_own_cause(Next& next, const Readers& readers,
                           const std::vector<Finding>& findings) const {
  know_before(next, readers, findings);
  Finding told;
  told.windows = ends_of(next.finding.windows);
  attributor_.tell(next.tally, readers, told);
  const Doer second{told.subsystem(), told.culprit, told.process};
  const auto begin = next.finding.windows.front().span.id;
  const bool is_of_open = std::ranges::all_of(open_, [&](const Fault& fault) {
    if (!fault.tally.doer || fault.first.value() >= begin.value()) return true;
    return have_own_causes(channels_, *fault.tally.doer, second, next.clear);
  });
  return is_of_open && std::ranges::all_of(next.before, [&](const auto& one) {
           return have_own_causes(channels_, one.second, second, next.clear);
         });
}

void Faults::know_before(Next& next, const Readers& readers,
                         const std::vector<Finding>& findings) const {
  const auto& begin = next.finding.windows.front().span;
  std::erase_if(next.before, [&](const auto& one) {
    return std::ranges::none_of(
        open_, [&](const Fault& it) { return it.first == one.first && !it.tally.doer; });
  });
  for (const auto& fault : open_) {
    const auto* finding = finding_of(fault, findings);
    const bool is_known =
        std::ranges::any_of(next.before, [&](const auto& one) { return one.first == fault.first; });
    if (finding == nullptr || fault.first.value() >= begin.id.value()) continue;
    if (fault.tally.doer || fault.tally.rows.empty() || is_known) continue;
    Tally alone{.total = fault.tally.total,
                .flagging = fault.tally.flagging,
                .idle = fault.tally.idle,
                .harmed = fault.tally.harmed};
    alone.take_out(next.tally);
    const auto& rows = fault.tally.rows;
    alone.rows = {rows.begin(), std::ranges::lower_bound(rows, next.tally.rows.front())};
    if (alone.rows.empty()) alone.rows = rows;  // those before it are forgotten
    const auto from = std::ranges::partition_point(
        finding->windows, [&](const auto& one) { return one.span.id.value() < begin.id.value(); });
    Finding before;
    before.windows = {{finding->windows.front().span, {}}, {std::prev(from)->span, {}}};
    next.before.emplace_back(fault.first,
                             attributor_.doer(alone, readers, begin.begin_ns, std::move(before)));
  }
}

void Faults::hand_over(std::vector<Finding>& findings) {
  auto* finding = finding_of(open_.front(), findings);
  if (finding == nullptr) return;
  *finding = std::move(before_->finding);
  ended_.push_back({open_.front().first, std::move(before_->tally)});
  open_.front() = {after_->finding.windows.front().span.id, std::move(after_->tally)};
  findings.push_back(std::move(after_->finding));
  before_.reset();
  after_.reset();
  concurrence_ = {};
  beside_ = {};
}

void Faults::forget_rows(std::size_t count) {
  for (auto& fault : open_) fault.tally.forget_rows(count);
  if (before_) before_->tally.forget_rows(count);
  if (after_) after_->tally.forget_rows(count);
  for (auto& next : beside_) {
    if (!next) continue;
    next->tally.forget_rows(count);
    for (auto& [first, doer] : next->before) {
      if (count > 0) doer.rows.clear();
    }
  }
}

}  // namespace reveal::attribute
