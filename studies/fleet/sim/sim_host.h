// A host of the simulation: a tape, shifted in time, times a factor of the host's own and one of
// each of its quantities, with heavy-tailed noise on what moves. Its messages are made by the
// encoder that agents use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "plan.h"
#include "tape.h"
#include "wire/levels.h"

namespace reveal::sim {

// Factors that hosts draw from, so that a draw costs little: Student's t with 3 degrees of freedom,
// scaled to a standard deviation of 1, and the standard normal distribution.
class Draws {
 public:
  explicit Draws(std::uint64_t seed);

  float heavy(std::uint64_t number) const { return heavy_[number % kCount]; }
  float normal(std::uint64_t number) const { return normal_[number % kCount]; }

 private:
  static constexpr std::size_t kCount = 65'536;

  std::vector<float> heavy_;
  std::vector<float> normal_;
};

// What all hosts of a group share.
struct Course {
  const Tape* tape = nullptr;
  std::uint32_t dictionary = 0;       // its number
  std::vector<std::uint16_t> floors;  // by quantity
  wire::Bytes plain;                  // of the dictionary
  std::size_t shift_s = 0;            // of the whole group
};

struct HostDraw {
  std::size_t number = 0;
  std::string id;
  std::uint64_t seed = 0;
};

class SimHost {
 public:
  SimHost(const Plan& plan, const Course& course, HostDraw draw, const Draws& draws);

  // It has this fault, besides others.
  void add(const FaultPlan& fault) { faults_.push_back(fault); }

  const std::string& id() const { return draw_.id; }
  // Returns the facts that it tells, and the plain dictionary's message, as of then.
  wire::Bytes facts(const std::string& role, std::int64_t begin_ns) const;
  wire::Bytes dictionary(std::int64_t begin_ns) const;

  // Returns the message of a second of the run, which begins at `begin_ns`. Seconds have to come in
  // their order; some may be left out.
  const wire::Bytes& levels(std::size_t second, std::int64_t begin_ns);
  // The broker may not have the last one.
  void restart() { encoder_.restart(); }

 private:
  std::size_t tape_second(std::size_t second) const;
  wire::Head head(std::int64_t time_ns) const;

  const Plan& plan_;
  const Course& course_;
  HostDraw draw_;
  const Draws& draws_;
  base::Rng rng_;
  std::size_t shift_s_;
  std::vector<float> factors_;  // by quantity
  std::vector<float> noise_;    // by quantity
  std::vector<FaultPlan> faults_;
  std::size_t last_ = 0;  // second of the tape
  wire::LevelsEncoder encoder_;
  std::vector<wire::Code> codes_;
  wire::Bytes message_;
};

}  // namespace reveal::sim
