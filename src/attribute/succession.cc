#include "attribute/succession.h"

#include <algorithm>

namespace reveal::attribute {

using model::Subsystem;

std::optional<Subsystem> clearly_one(const std::array<double, model::kSubsystemCount>& blame,
                                     double least) {
  auto shares = blame;
  const auto memory = static_cast<std::size_t>(Subsystem::kMemory);
  const auto storage = static_cast<std::size_t>(Subsystem::kStorage);
  const bool more_memory = shares[memory] > shares[storage];
  auto& both = shares[more_memory ? memory : storage];
  both = shares[memory] + shares[storage];
  const auto largest = std::max_element(shares.begin(), shares.end());
  if (*largest < least) return std::nullopt;
  return static_cast<Subsystem>(largest - shares.begin());
}

void Succession::Run::add(const window::WindowSpan& window, bool is_alarmed) {
  last_begin_ns = window.begin_ns;
  alarmed = alarmed || is_alarmed;
}

Succession::Step Succession::take(const window::WindowSpan& window,
                                  std::optional<model::Subsystem> stalled_by, bool alarmed) {
  if (!stalled_by) return Step::kSame;
  const auto family = family_of(*stalled_by);
  if (!run_) {
    run_ = Run{family, window.end_ns, window.begin_ns, alarmed};
    return Step::kSame;
  }
  if (family == run_->family) return take_of_former(window, alarmed);
  return take_of_other({family, window.end_ns, window.begin_ns, alarmed});
}

// A window or two of the former family do not end what may take over.
Succession::Step Succession::take_of_former(const window::WindowSpan& window, bool alarmed) {
  run_->add(window, alarmed);
  if (!next_ || ++back_ <= kShortRun) return Step::kSame;
  next_.reset();
  return Step::kHasNot;
}

Succession::Step Succession::take_of_other(const Run& run) {
  back_ = 0;
  const bool is_new = !next_ || next_->family != run.family;
  if (is_new) {
    next_ = run;
  } else {
    next_->last_begin_ns = run.last_begin_ns;
    next_->alarmed = next_->alarmed || run.alarmed;
  }
  if (!next_->counts()) return is_new ? Step::kMayBegin : Step::kSame;
  const bool takes_over = run_->counts();
  run_ = *next_;
  next_.reset();
  // What did not count before it is part of it.
  return takes_over ? Step::kTakesOver : Step::kHasNot;
}

}  // namespace reveal::attribute
