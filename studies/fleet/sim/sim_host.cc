#include "sim_host.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "base/fnv.h"

namespace reveal::sim {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::uint32_t kClockError_us = 500;
// Of the noise, from one move to the next: it is AR(1).
constexpr float kKept = 0.8F;

double normal_of(base::Rng& rng) {
  const double length = std::sqrt(-2 * std::log(1 - rng.uniform()));
  return length * std::cos(2 * std::numbers::pi * rng.uniform());
}

// Student's t with 3 degrees of freedom has the variance 3.
double heavy_of(base::Rng& rng) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(normal_of(rng), 2);
  return normal_of(rng) / std::sqrt(squares / 3) / std::sqrt(3.0);
}

}  // namespace

Draws::Draws(std::uint64_t seed) {
  base::Rng rng(seed);
  for (std::size_t i = 0; i < kCount; ++i) {
    heavy_.push_back(static_cast<float>(heavy_of(rng)));
    normal_.push_back(static_cast<float>(normal_of(rng)));
  }
}

SimHost::SimHost(const Plan& plan, const Course& course, HostDraw draw, const Draws& draws)
    : plan_(plan),
      course_(course),
      draw_(std::move(draw)),
      draws_(draws),
      rng_(draw_.seed),
      shift_s_(course.shift_s + rng_.below(plan.shift_s + 1)),
      encoder_(base::fnv1a(draw_.id)) {
  const auto count = course_.floors.size();
  const double own = plan_.host_factor * draws_.normal(rng_.below(1U << 16));
  noise_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double offset = plan_.own_offset * draws_.normal(rng_.below(1U << 16));
    factors_.push_back(static_cast<float>(std::exp(own + offset)));
  }
  codes_.resize(count);
}

wire::Head SimHost::head(std::int64_t time_ns) const {
  return {.clock_error_us = kClockError_us,
          .run = wire::run_of(draw_.id, static_cast<std::int64_t>(plan_.seed)),
          .time_ns = time_ns};
}

wire::Bytes SimHost::facts(const std::string& role, std::int64_t begin_ns) const {
  auto facts = course_.tape->facts;
  facts.head = head(begin_ns);
  facts.host = fmt::format("s{:05}", draw_.number);
  facts.boot_id = draw_.id;
  facts.groups = {role};
  wire::Bytes out;
  static_cast<void>(wire::put_facts(out, facts));
  return out;
}

wire::Bytes SimHost::dictionary(std::int64_t begin_ns) const {
  wire::Bytes out;
  static_cast<void>(wire::put_dictionary(out, head(begin_ns), course_.plain));
  return out;
}

// The healthy seconds to and fro, so that the end meets no begin; a fault's in their place.
std::size_t SimHost::tape_second(std::size_t second) const {
  const auto& tape = *course_.tape;
  for (const auto& fault : faults_) {
    const auto begin = tape.second_of(fault.tape_from_ns);
    const auto end = tape.second_of(fault.tape_to_ns) + 1;
    if (second >= fault.from_s && second - fault.from_s < end - begin) {
      return begin + second - fault.from_s;
    }
  }
  const auto count = tape.healthy.size();
  if (count == 1) return tape.healthy.front();
  const auto at = (second + shift_s_) % (2 * count - 2);
  return tape.healthy[at < count ? at : 2 * count - 2 - at];
}

const wire::Bytes& SimHost::levels(std::size_t second, std::int64_t begin_ns) {
  const auto& tape = *course_.tape;
  const auto now = tape_second(second);
  const auto& levels = tape.levels[now];
  const auto& before = tape.levels[last_];
  const auto scale = static_cast<float>(plan_.noise * std::sqrt(1 - kKept * kKept));
  std::uint64_t draw = rng_.next();
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    // What stands still on a real host stands still here.
    if (levels[i] != before[i]) {
      noise_[i] = kKept * noise_[i] + scale * draws_.heavy(draw >> 20);
      draw = draw * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    }
    float level = levels[i] * factors_[i] * std::max(0.0F, 1 + noise_[i]);
    if (tape.is_share[i]) level = std::min(level, std::max(1.0F, levels[i]));
    codes_[i] = wire::code_of(level, course_.floors[i]);
  }
  last_ = now;
  wire::LevelsHead out;
  out.head = head(begin_ns);
  out.sequence = static_cast<std::uint64_t>(begin_ns / kSecond_ns);
  out.dictionary = course_.dictionary;
  message_.clear();
  encoder_.encode(out, codes_, message_);
  return message_;
}

}  // namespace reveal::sim
