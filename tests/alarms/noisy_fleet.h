// A fleet of hosts that are alike and noisy: how often one of them is called slow by mistake, and
// whether one that is slow is found in the same noise.
//
// A host has sixty quantities, all of them saturation signals, as many as a host has of the real
// ones: shares of time, shares of segments, and events, with the least rises that pressure,
// retransmissions and drops have. Their usual level is three units of the noise (a log-normal one
// brings its own), and never below 0; a share is never above 1. `units` says how many units of the
// noise a least rise is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heavy_noise.h"
#include "peers/fleet.h"
#include "peers/testing/made_fleet.h"

namespace reveal::peers {

inline constexpr std::size_t kNoisyQuantities = 60;
inline constexpr double kUsualUnits = 3;
// Nobody is judged before.
inline constexpr std::size_t kLearning_s = 130;

struct Signal {
  const char* unit;
  model::Kind kind;
  model::Subsystem subsystem;
  float floor;
  float least_rise;
  double most;  // it cannot be more
};
inline constexpr std::array kSignals{
    Signal{"ratio", model::Kind::kGauge, model::Subsystem::kCpu, 0.0025F, 0.1F, 1},
    Signal{"ratio", model::Kind::kGauge, model::Subsystem::kNetwork, 0.0005F, 0.01F, 1},
    Signal{"drops/s", model::Kind::kEvent, model::Subsystem::kNetwork, 0.17F, 10.0F / 3, 1e9}};

inline const Signal& signal_of(std::size_t quantity) {
  return kSignals[quantity % kSignals.size()];
}
inline std::string metric_of(std::size_t quantity) {
  return "noise_" + std::to_string(quantity);
}

inline wire::Dictionary noisy_dictionary() {
  wire::Dictionary out;
  for (std::size_t i = 0; i < kNoisyQuantities; ++i) {
    const auto& signal = signal_of(i);
    out.quantities.push_back(made_quantity(metric_of(i), "Noise", signal.unit, signal.kind,
                                           signal.subsystem, signal.floor, signal.least_rise));
  }
  return out;
}

// A rise of one host, in least rises: of a quantity, and of so many others.
struct Step {
  std::size_t host = 0;
  std::size_t quantity = 0;
  std::size_t others = 0;
  double rises = 0;

  bool moves(std::size_t which) const {
    return (which + kNoisyQuantities - quantity) % kNoisyQuantities <= others;
  }
};

class NoisyFleet {
 public:
  NoisyFleet(std::size_t hosts, Noise noise, double units, std::uint64_t seed)
      : units_(units),
        usual_(noise == Noise::kLogNormal ? 0 : kUsualUnits),
        noise_(noise, hosts * kNoisyQuantities, seed),
        made_(hosts, noisy_dictionary(),
              [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                if (!fleet_.take({subject, payload, stored_ns})) ++refused_;
                now_ns_ = stored_ns;
              }) {
    made_.introduce();
  }

  // Lets a second pass, and returns what was told after it.
  std::vector<News> second(const Step& step = {}) {
    noise_.next();
    made_.send_second(second_++, [&](std::size_t host, std::size_t quantity, std::size_t) {
      const auto& signal = signal_of(quantity);
      double rises = (usual_ + noise_.at(host * kNoisyQuantities + quantity)) / units_;
      if (host == step.host && step.moves(quantity)) rises += step.rises;
      return static_cast<float>(std::clamp(rises * signal.least_rise, 0.0, signal.most));
    });
    fleet_.advance(now_ns_, false);
    return fleet_.take_news();
  }

  std::size_t hosts() const { return made_.hosts(); }
  const std::string& id(std::size_t host) const { return made_.id(host); }
  std::int64_t now_ns() const { return now_ns_; }
  // Returns when the next second begins.
  std::int64_t next_ns() const { return MadeFleet::begin_of(second_); }
  // Seconds in which somebody could have been accused, and messages that were not taken.
  std::uint64_t judged() const { return fleet_.counts().judged - fleet_.counts().uncertain; }
  std::uint64_t refused() const { return refused_; }

 private:
  double units_;
  double usual_;
  HeavyNoise noise_;
  Fleet fleet_;
  std::int64_t now_ns_ = 0;
  std::size_t second_ = 0;
  std::uint64_t refused_ = 0;
  MadeFleet made_;
};

struct FalseAlarms {
  std::size_t incidents = 0;
  double host_seconds = 0;
};
struct FirstAndLater {
  FalseAlarms first;
  FalseAlarms after;
};

// Runs a fleet in which nothing is slow as long as `goes_on` says so, which is asked once a minute.
// What comes in its first `first_s` seconds of being judged is counted by itself.
inline FirstAndLater false_alarms(NoisyFleet& fleet, std::size_t first_s,
                                  const std::function<bool()>& goes_on) {
  constexpr std::size_t kMinute_s = 60;
  FirstAndLater out;
  for (std::size_t s = 0; s < kLearning_s; ++s) fleet.second();
  std::size_t judged_s = 0;
  do {
    auto& part = judged_s < first_s ? out.first : out.after;
    for (std::size_t s = 0; s < kMinute_s; ++s) {
      part.incidents +=
          static_cast<std::size_t>(std::ranges::count(fleet.second(), Told::kOpened, &News::told));
    }
    part.host_seconds += static_cast<double>(fleet.hosts() * kMinute_s);
    judged_s += kMinute_s;
  } while (goes_on());
  return out;
}

// Returns whether it says that the host rose by what the step moves, since then at the earliest.
inline bool is_about(const News& news, const std::string& host, const Step& step,
                     std::int64_t since_ns) {
  const auto is_moved = [&](const Evidence& evidence) {
    for (std::size_t i = 0; i <= step.others; ++i) {
      if (evidence.quantity.metric == metric_of((step.quantity + i) % kNoisyQuantities))
        return true;
    }
    return false;
  };
  return std::ranges::any_of(news.incident.hosts, [&](const SlowHost& one) {
    return one.id == host && one.onset_ns >= since_ns &&
           std::ranges::any_of(one.evidence, is_moved);
  });
}

struct Steps {
  std::size_t done = 0;
  std::vector<double> found_s;  // from the begin of the step until it was told
};

// Puts on so many steps, one after another, each for half a minute, of hosts and quantities in
// turn. Found is what is told with the host, the quantity and an onset that is 3 s early at most.
inline Steps find_steps(NoisyFleet& fleet, std::size_t count, double rises,
                        std::size_t others = 0) {
  constexpr std::size_t kSpreadsLearnt_s = 600;
  constexpr std::size_t kOn_s = 30;
  constexpr std::size_t kBetween_s = 60;
  Steps out;
  for (std::size_t s = 0; s < kSpreadsLearnt_s; ++s) fleet.second();
  for (; out.done < count; ++out.done) {
    const Step step{out.done % fleet.hosts(), out.done * 7 % kNoisyQuantities, others, rises};
    const std::int64_t begin_ns = fleet.next_ns();
    bool is_found = false;
    for (std::size_t s = 0; s < kOn_s + kBetween_s; ++s) {
      const auto news = s < kOn_s ? fleet.second(step) : fleet.second();
      if (is_found || s >= kOn_s) continue;
      is_found = std::ranges::any_of(news, [&](const News& one) {
        return is_about(one, fleet.id(step.host), step, begin_ns - 3 * kSecond_ns);
      });
      if (is_found) out.found_s.push_back(1e-9 * static_cast<double>(fleet.now_ns() - begin_ns));
    }
  }
  return out;
}

}  // namespace reveal::peers
