// All hosts of the simulation, and when each of them tells a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan.h"
#include "sim_host.h"
#include "tape.h"

namespace reveal::sim {

inline constexpr std::int64_t kSecond_ns = 1'000'000'000;
inline constexpr const char* kSite = "sim";

struct Member {
  SimHost host;
  std::string role;
  std::string subject;         // of its levels
  std::int64_t moment_ns = 0;  // from the end of a second until it tells it
};

class SimFleet {
 public:
  // The plan must live as long. Fails if a recording cannot be read, or a fault is of no host.
  static base::Result<std::unique_ptr<SimFleet>> make(const Plan& plan);

  std::vector<Member>& members() { return members_; }
  // Numbers of the members, in the order of their moments.
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  explicit SimFleet(const Plan& plan) : plan_(plan), draws_(plan.seed) {}

  base::Result<void> make_courses();
  void make_group(const GroupPlan& group, const Course& course);
  base::Result<void> make_all();

  const Plan& plan_;
  Draws draws_;
  std::vector<Tape> tapes_;
  std::vector<std::unique_ptr<Course>> courses_;  // by group
  std::vector<Member> members_;
  std::vector<std::size_t> order_;
};

}  // namespace reveal::sim
