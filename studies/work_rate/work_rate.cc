// work_rate RECORDING: what the work meter makes of a recording, as JSON: for each job its members,
// its errors, and its rate by block. The evaluation (evaluate.py) holds that against the jobs' own
// counts.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "derive/deriver.h"
#include "store/segment_reader.h"
#include "work/slowdowns.h"
#include "work/work_meter.h"

namespace reveal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json told(const work::JobRate& job, const model::ChannelTable& channels) {
  nlohmann::json out;
  out["job"] = job.job;
  out["kind"] = static_cast<int>(job.kind);
  out["not_known"] = job.not_known;
  out["block_error"] = job.block_error;
  out["bias_error"] = job.bias_error;
  out["period_s"] = job.period_s ? nlohmann::json(*job.period_s) : nlohmann::json(nullptr);
  for (const auto member : job.members) out["members"].push_back(channels.name(member));
  for (std::size_t i = 0; i < job.rate.size(); ++i) {
    out["begin_ns"].push_back(job.begin_ns[i]);
    out["end_ns"].push_back(job.end_ns[i]);
    out["rate"].push_back(number(job.rate[i]));
  }
  out["slowdowns"] = nlohmann::json::array();
  for (const auto& slow : work::slowdowns(job)) {
    out["slowdowns"].push_back({{"begin_ns", slow.begin_ns},
                                {"end_ns", slow.end_ns},
                                {"rate", slow.loss.mean_rate},
                                {"lost_s", slow.loss.lost_s}});
  }
  return out;
}

base::Result<void> print(const char* directory) {
  auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::pass(reader);
  derive::Deriver deriver;
  work::WorkMeter meter;
  Clock::duration adding{};
  std::size_t ticks = 0;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    const auto row = deriver.step(reader->channels(), **frame);
    const auto begin = Clock::now();
    meter.add(deriver.channels(), (*frame)->sequence, (*frame)->wall_ns,
              reader->facts().interval_ns, row);
    adding += Clock::now() - begin;
    ++ticks;
  }
  const auto begin = Clock::now();
  const auto jobs = meter.estimate();
  nlohmann::json out;
  out["estimate_ms"] = seconds(Clock::now() - begin) * 1e3;
  out["add_us_a_tick"] = ticks == 0 ? 0 : seconds(adding) * 1e6 / static_cast<double>(ticks);
  for (const auto& job : jobs) out["jobs"].push_back(told(job, deriver.channels()));
  fmt::print("{}\n", out.dump());
  return {};
}

}  // namespace
}  // namespace reveal

int main(int count, char** words) try {
  if (count != 2) {
    fmt::print(stderr, "usage: work_rate RECORDING\n");
    return 2;
  }
  const auto done = reveal::print(words[1]);
  if (!done) fmt::print(stderr, "work_rate: {}\n", done.error().message());
  return done ? 0 : 1;
} catch (const std::exception& thrown) {
  static_cast<void>(std::fprintf(stderr, "work_rate: %s\n", thrown.what()));
  return 1;
}
