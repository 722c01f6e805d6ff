#include "attribute/concurrence.h"

#include "attribute/merge.h"

namespace reveal::attribute {

Concurrence::Steps Concurrence::take(const window::WindowSpan& window, const FamilyStalls& stalls) {
  Steps out{};
  latest_ns_ = window.begin_ns;
  end_runs(window, out);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!stalls[i].stalled) continue;
    auto& run = runs_[i];
    if (!run) run = Run{.first_end_ns = window.end_ns, .fault = fault_of(window, out)};
    run->last_begin_ns = window.begin_ns;
    run->last_end_ns = window.end_ns;
    run->alarmed = run->alarmed || stalls[i].alarmed;
  }
  const auto one = first();
  if (!one || !this->stalls(*one) || !counts(*one)) return out;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (!faults_[place] || faults_[place]->role != Role::kCandidate) continue;
    if (this->stalls(place) && counts(place)) out[place] = Step::kCounts;
  }
  return out;
}

void Concurrence::end_runs(const window::WindowSpan& window, Steps& steps) {
  for (auto& run : runs_) {
    if (run && !continues(run->last_end_ns, window)) run.reset();
  }
  bool first_ends = false;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    auto& fault = faults_[place];
    if (!fault || families(place).any()) continue;
    first_ends = first_ends || fault->role == Role::kFirst;
    steps[place] = fault->role == Role::kCandidate ? Step::kHasNot : Step::kEnds;
    fault.reset();
  }
  if (first_ends) follow_first(steps);
}

// What goes on when the first fault is over is the first from then on.
void Concurrence::follow_first(Steps& steps) {
  auto next = earliest(Role::kSecond);
  if (!next) {
    next = earliest(Role::kCandidate);
    if (next) steps[*next] = Step::kHasNot;
  }
  if (next) faults_[*next]->role = Role::kFirst;
}

// Returns the place of the fault that a run belongs to which begins with that window.
std::size_t Concurrence::fault_of(const window::WindowSpan& window, Steps& steps) {
  std::size_t free = 0;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const auto& fault = faults_[place];
    if (!fault) {
      if (steps[place] == Step::kSame) free = place;
    } else if (window.begin_ns < fault->first_end_ns) {
      return place;
    }
  }
  const bool is_first = !first().has_value();
  faults_[free] = Fault{.begin_ns = window.begin_ns,
                        .first_end_ns = window.end_ns,
                        .role = is_first ? Role::kFirst : Role::kCandidate};
  if (!is_first) steps[free] = Step::kMayBegin;
  return free;
}

Families Concurrence::families(std::size_t place) const {
  Families out;
  for (std::size_t i = 0; i < runs_.size(); ++i) out[i] = runs_[i] && runs_[i]->fault == place;
  return out;
}

bool Concurrence::stalls(std::size_t place) const {
  for (const auto& run : runs_) {
    if (run && run->fault == place && run->last_begin_ns == latest_ns_) return true;
  }
  return false;
}

bool Concurrence::counts(std::size_t place) const {
  for (const auto& run : runs_) {
    if (run && run->fault == place && run->counts()) return true;
  }
  return false;
}

std::optional<std::size_t> Concurrence::earliest(Role role) const {
  std::optional<std::size_t> out;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (!faults_[place] || faults_[place]->role != role) continue;
    if (!out || faults_[place]->begin_ns < faults_[*out]->begin_ns) out = place;
  }
  return out;
}

}  // namespace reveal::attribute
