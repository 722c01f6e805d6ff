#include "agent/past_windows.h"

#include <algorithm>
#include <string>
#include <utility>

namespace reveal::agent {
namespace {

// The subsystem of each metric that an agent reads is known.
constexpr std::size_t kCount = model::kKnownSubsystemCount;
static_assert(kCount <= serve::kMostSubsystems);

serve::Past empty_past() {
  serve::Past out{.stretch_ns = kStretch_ns};
  for (std::size_t i = 0; i < kCount; ++i) {
    out.subsystems.emplace_back(model::to_string(static_cast<model::Subsystem>(i)));
  }
  return out;
}

}  // namespace

void PastWindows::add(const live::JudgedWindow& window) {
  const auto begin = window.span.end_ns - window.span.end_ns % kStretch_ns;
  if (is_open_ && begin != open_.begin_wall_ns) close();
  if (!window.judged) return;
  if (!std::exchange(is_open_, true)) open_ = {.begin_wall_ns = begin, .strength = -1};
  if (window.strength <= open_.strength) return;
  open_.strength = window.strength;
  for (std::size_t i = 0; i < kCount; ++i) {
    open_.shares[i] = static_cast<float>(window.shares[i]);
  }
}

void PastWindows::close() {
  auto next =
      past_ ? std::make_shared<serve::Past>(*past_) : std::make_shared<serve::Past>(empty_past());
  auto& stretches = next->stretches;
  stretches.push_back(open_);
  if (stretches.size() > kMostStretches) stretches.erase(stretches.begin());
  past_ = std::move(next);
  is_open_ = false;
}

}  // namespace reveal::agent
