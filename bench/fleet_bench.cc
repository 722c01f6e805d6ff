// What a second of a host costs an analyser: to decode its message and to judge it.
//
//   fleet_bench [HOSTS [QUANTITIES [SECONDS]]]
//
// HOSTS (1,000 unless told) in groups of 500 at most send QUANTITIES (744) of which two fifths move
// in a third of the seconds, and an eleventh are saturation signals. Nothing is slow. The first
// 130 seconds teach what is usual and are not timed; SECONDS (60) are. Times are CPU time of one
// core. The floor, in the same run, is to decode the same messages and to copy each host's codes.
// Besides: what it costs to decide which jobs are followed, if each host works on one of 32 hosts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/rng.h"
#include "peers/fleet.h"
#include "peers/jobs.h"
#include "peers/testing/made_fleet.h"
#include "sound.h"
#include "timing.h"

namespace {

using namespace reveal;

constexpr std::size_t kLearning = 130;
constexpr std::size_t kGroup = 500;
// Levels are drawn from so many seconds of one host, shifted from host to host.
constexpr std::size_t kCourse = 61;

std::size_t number(int count, const char* const* words, int at, std::size_t otherwise) {
  return at < count ? static_cast<std::size_t>(std::strtoul(words[at], nullptr, 10)) : otherwise;
}

wire::Dictionary dictionary(std::size_t quantities) {
  wire::Dictionary out;
  for (std::size_t i = 0; i < quantities; ++i) {
    out.quantities.push_back(peers::made_quantity(
        "metric_" + std::to_string(i), "Metric", "requests/s", model::Kind::kCounter,
        model::Subsystem::kCpu, 0.5F, i % 11 == 0 ? 1000.0F : 0.0F));
  }
  return out;
}

std::vector<std::vector<float>> course(std::size_t quantities) {
  base::Rng rng(1);
  std::vector<std::vector<float>> out(kCourse, std::vector<float>(quantities));
  for (std::size_t i = 0; i < quantities; ++i) {
    float level = rng.below(2) == 0 ? 0.0F : static_cast<float>(std::exp2(rng.uniform() * 12));
    for (std::size_t s = 0; s < kCourse; ++s) {
      if (i % 5 < 2 && rng.below(3) == 0) level *= static_cast<float>(0.97 + 0.06 * rng.uniform());
      out[s][i] = level;
    }
  }
  return out;
}

struct Message {
  std::string subject;
  wire::Bytes payload;
  std::int64_t stored_ns = 0;
};

class Bench {
 public:
  Bench(std::size_t hosts, std::size_t quantities)
      : quantities_(quantities),
        course_(course(quantities)),
        made_(hosts, dictionary(quantities),
              [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                messages_.push_back({subject, payload, stored_ns});
              }),
        decoders_(hosts),
        copied_(quantities) {
    for (std::size_t i = 0; i < hosts; ++i) {
      auto facts = made_.facts_of(i);
      facts.groups = {"role=" + std::to_string(i / kGroup)};
      made_.send_facts(i, facts);
      made_.send_dictionary(i);
    }
  }

  void second(std::size_t number) {
    made_.send_second(number, [&](std::size_t host, std::size_t quantity, std::size_t s) {
      return course_[(s + host) % kCourse][quantity];
    });
    std::ranges::stable_sort(messages_, {}, &Message::stored_ns);
  }
  void decode() {
    std::size_t at = 0;
    for (const auto& message : messages_) {
      if (message.subject.find(".lvl.") == std::string::npos) continue;
      auto& decoder = decoders_[at++ % decoders_.size()];
      bench::sound(decoder.decode(message.payload));
      std::memcpy(copied_.data(), decoder.codes().data(), quantities_ * sizeof(wire::Code));
    }
  }
  void judge() {
    for (const auto& message : messages_) {
      bench::sound(fleet_.take({message.subject, message.payload, message.stored_ns}));
      fleet_.advance(message.stored_ns, false);
    }
  }
  void done() { messages_.clear(); }
  const peers::Fleet& fleet() const { return fleet_; }
  std::size_t news() { return fleet_.take_news().size(); }

 private:
  std::size_t quantities_;
  std::vector<std::vector<float>> course_;
  std::vector<Message> messages_;
  peers::MadeFleet made_;
  peers::Fleet fleet_;
  std::vector<wire::LevelsDecoder> decoders_;
  std::vector<wire::Code> copied_;
};

// Jobs of 32 hosts each, of which some are told each second; one in a minute ends, and another
// begins. Prints the CPU time of a second's decision.
void time_jobs(std::size_t hosts, std::size_t seconds) {
  constexpr std::size_t kWorkers = 32;
  constexpr std::int64_t kLater_ns = 1'700'000'000 * peers::kSecond_ns;
  peers::Jobs jobs;
  const auto take = [&](std::size_t host, std::size_t job, std::int64_t at_ns) {
    jobs.take(peers::made_id(host), {{"job=slurm/" + std::to_string(job), at_ns}}, at_ns);
  };
  for (std::size_t i = 0; i < hosts; ++i) {
    take(i, i / kWorkers, kLater_ns + static_cast<std::int64_t>(i / kWorkers) * peers::kSecond_ns);
    jobs.set_speaks(peers::made_id(i), true);
  }
  double all_us = 0;
  double longest_us = 0;
  std::size_t moved = 0;
  const auto first = hosts / kWorkers + 70;
  for (std::size_t s = 0; s < first + seconds; ++s) {
    const auto now_ns = kLater_ns + static_cast<std::int64_t>(s) * peers::kSecond_ns;
    if (s % 60 == 0) {
      for (std::size_t i = 0; i < std::min(kWorkers, hosts); ++i) take(i, 1'000'000 + s, now_ns);
    }
    std::size_t now_moved = 0;
    const double us = bench::cpu_us([&] { now_moved = jobs.settle(now_ns).size(); });
    static_cast<void>(jobs.take_news());
    if (s < first) continue;
    all_us += us;
    longest_us = std::max(longest_us, us);
    moved += now_moved;
  }
  fmt::print(
      "which jobs to follow {:8.2f} us a host and second; longest {:.1f} ms, {} hosts moved\n",
      all_us / static_cast<double>(hosts * seconds), longest_us / 1e3, moved);
}

long resident_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

int main(int count, char** words) {
  const auto hosts = number(count, words, 1, 1000);
  const auto quantities = number(count, words, 2, 744);
  const auto seconds = number(count, words, 3, 60);
  Bench run(hosts, quantities);
  double floor_us = 0;
  double judged_us = 0;
  double longest_us = 0;
  for (std::size_t s = 0; s < kLearning + seconds; ++s) {
    run.second(s);
    const double plain = bench::cpu_us([&] { run.decode(); });
    const double whole = bench::cpu_us([&] { run.judge(); });
    run.done();
    if (s < kLearning) continue;
    floor_us += plain;
    judged_us += whole;
    longest_us = std::max(longest_us, whole);
  }
  const auto host_seconds = static_cast<double>(hosts * seconds);
  fmt::print("{} hosts, {} quantities, {} s; {} seconds of groups judged, {} incidents told\n",
             hosts, quantities, seconds, run.fleet().counts().judged, run.news());
  fmt::print("decode and copy      {:8.2f} us a host and second\n", floor_us / host_seconds);
  fmt::print("decode and judge     {:8.2f} us a host and second: {:.0f} hosts a core\n",
             judged_us / host_seconds, 1e6 * host_seconds / judged_us);
  fmt::print("longest second       {:8.1f} ms for all hosts\n", longest_us / 1e3);
  time_jobs(hosts, seconds);
  fmt::print(
      "largest memory       {:8} MiB, of which this benchmark keeps the messages of a second\n",
      resident_mib());
}
