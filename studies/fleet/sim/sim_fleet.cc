#include "sim_fleet.h"

#include <algorithm>
#include <utility>

#include "base/fnv.h"
#include "base/rng.h"
#include "wire/subject.h"

namespace reveal::sim {
namespace {

// An agent tells a second once it has read a frame after its end.
constexpr std::int64_t kFrame_ns = 150'000'000;
// It looks for new frames that often (agent/judge.cc).
constexpr std::int64_t kRound_ns = 500'000'000;

std::string id_of(std::uint64_t seed, std::size_t number) {
  base::Rng rng(seed * 1'000'003 + number);
  std::string out;
  while (out.size() < 26) out += "abcdefghijklmnopqrstuvwxyz234567"[rng.below(32)];
  return out;
}

}  // namespace

base::Result<std::unique_ptr<SimFleet>> SimFleet::make(const Plan& plan) {
  std::unique_ptr<SimFleet> out(new SimFleet(plan));
  if (auto made = out->make_all(); !made) return base::pass(made);
  return out;
}

base::Result<void> SimFleet::make_courses() {
  base::Rng rng(plan_.seed);
  for (const auto& one : plan_.tapes) {
    auto tape = read_tape(one.recording, one.avoid);
    if (!tape) return base::pass(tape);
    tapes_.push_back(std::move(*tape));
  }
  for (const auto& group : plan_.groups) {
    auto course = std::make_unique<Course>();
    course->tape = &tapes_[group.tape];
    auto plain = wire::plain_of(course->tape->dictionary);
    if (!plain) return base::pass(plain);
    course->plain = std::move(*plain);
    course->dictionary = wire::number_of(course->plain);
    course->shift_s = rng.below(course->tape->healthy.size());
    for (const auto& one : course->tape->dictionary.quantities) {
      course->floors.push_back(one.floor);
    }
    courses_.push_back(std::move(course));
  }
  return {};
}

void SimFleet::make_group(const GroupPlan& group, const Course& course) {
  for (std::size_t i = 0; i < group.hosts; ++i) {
    const auto number = members_.size();
    const HostDraw draw{number, id_of(plan_.seed, number), plan_.seed * 7919 + number};
    members_.push_back({SimHost(plan_, course, draw, draws_), group.role,
                        wire::subject_of({kSite, draw.id, wire::Type::kLevels}), 0});
    // As agents: at a time of each half second that follows from the id.
    const auto turn = static_cast<std::int64_t>(base::fnv1a(draw.id) % kRound_ns);
    members_.back().moment_ns = turn < kFrame_ns ? turn + kRound_ns : turn;
  }
}

base::Result<void> SimFleet::make_all() {
  if (auto made = make_courses(); !made) return made;
  std::size_t count = 0;
  for (const auto& group : plan_.groups) count += group.hosts;
  members_.reserve(count);
  for (std::size_t i = 0; i < plan_.groups.size(); ++i) make_group(plan_.groups[i], *courses_[i]);
  for (const auto& fault : plan_.faults) {
    if (fault.host >= members_.size()) {
      return base::fail(base::ErrorKind::kUsage, "a fault of a host that there is not", "the plan");
    }
    members_[fault.host].host.add(fault);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) order_.push_back(i);
  std::ranges::sort(order_, {}, [&](std::size_t i) { return members_[i].moment_ns; });
  return {};
}

}  // namespace reveal::sim
