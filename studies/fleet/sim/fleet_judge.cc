// The simulated fleet of a plan, judged in one process: no broker, no clock. Messages come at the
// hosts' own moments of made time, so the same plan has the same incidents on any machine, however
// busy it is. studies/fleet/sim.py writes the plan and scores.
//
//   fleet_judge PLAN
//
// It prints JSON, an object a line: {"begin_ns"}, then for each incident that is told {"at_ns",
// "news"}, where `news` is the line that an analyser prints, and {"end"} with what was counted.
#include <cstdint>
#include <cstdio>

#include <fmt/format.h>

#include "peers/fleet.h"
#include "peers/json.h"
#include "plan.h"
#include "sim_fleet.h"
#include "wire/subject.h"

namespace {

using namespace reveal;
using sim::kSecond_ns;

constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;

class Judge {
 public:
  Judge(const sim::Plan& plan, sim::SimFleet& hosts) : plan_(plan), hosts_(hosts) {}

  void run() {
    fmt::print("{{\"begin_ns\": {}}}\n", kBegin_ns);
    for (auto& one : hosts_.members()) {
      take(one, wire::Type::kFacts, one.host.facts(one.role, kBegin_ns), kBegin_ns);
      take(one, wire::Type::kDictionary, one.host.dictionary(kBegin_ns), kBegin_ns);
    }
    for (std::size_t s = 0; s < plan_.seconds; ++s) second(s);
    const auto& counts = fleet_.counts();
    fmt::print(
        "{{\"end\": {{\"messages\": {}, \"refused\": {}, \"judged\": {}, \"uncertain\": {}}}}}\n",
        counts.messages, counts.refused, counts.judged, counts.uncertain);
  }

 private:
  void take(const sim::Member& one, wire::Type type, const wire::Bytes& message,
            std::int64_t at_ns) {
    const auto subject = wire::subject_of({sim::kSite, one.host.id(), type});
    const auto taken = fleet_.take({subject, message, at_ns});
    if (!taken) fmt::print(stderr, "fleet_judge: {}\n", taken.error().message());
  }
  void second(std::size_t number) {
    const auto begin_ns = kBegin_ns + static_cast<std::int64_t>(number) * kSecond_ns;
    for (const auto i : hosts_.order()) {
      auto& one = hosts_.members()[i];
      const auto at_ns = begin_ns + kSecond_ns + one.moment_ns;
      take(one, wire::Type::kLevels, one.host.levels(number, begin_ns), at_ns);
      advance(at_ns);
    }
  }
  void advance(std::int64_t at_ns) {
    fleet_.advance(at_ns, false);
    for (const auto& news : fleet_.take_news()) {
      fmt::print("{{\"at_ns\": {}, \"news\": {}}}\n", at_ns, peers::json_of(news));
    }
  }

  const sim::Plan& plan_;
  sim::SimFleet& hosts_;
  peers::Fleet fleet_;
};

int failed(const base::Error& error) {
  fmt::print(stderr, "fleet_judge: {}\n", error.message());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: fleet_judge PLAN (studies/fleet/sim.py writes it)\n");
    return 2;
  }
  const auto plan = sim::read_plan(words[1]);
  if (!plan) return failed(plan.error());
  const auto hosts = sim::SimFleet::make(*plan);
  if (!hosts) return failed(hosts.error());
  Judge(*plan, **hosts).run();
  return 0;
}
