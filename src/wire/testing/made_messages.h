// Messages for tests: those of the examples in docs/wire_format.md, and random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "wire/dictionary.h"
#include "wire/event.h"
#include "wire/facts.h"
#include "wire/levels.h"
#include "wire/question.h"

namespace reveal::wire {

inline constexpr std::int64_t kExample_ns = 1'700'000'000'000'000'000;

inline Head example_head() {
  return {.clock_error_us = 250, .run = run_of("b", kExample_ns), .time_ns = kExample_ns};
}

inline Dictionary example_dictionary() {
  Dictionary out;
  out.quantities.resize(3);
  out.quantities[0] = {.metric = "cpu_busy_ratio",
                       .instance = "",
                       .label = "CPU busy share",
                       .unit = "ratio",
                       .kind = model::Kind::kGauge,
                       .subsystem = model::Subsystem::kCpu,
                       .scope = model::Scope::kHost,
                       .fold = Fold::kHighestCore,
                       .floor = floor_of(0.001F),
                       .least_rise = 0};
  out.quantities[1] = {.metric = "network_receive_drops_total",
                       .instance = "dev=eth0",
                       .label = "Received packets dropped",
                       .unit = "packets/s",
                       .kind = model::Kind::kEvent,
                       .subsystem = model::Subsystem::kNetwork,
                       .scope = model::Scope::kNic,
                       .fold = Fold::kNone,
                       .floor = floor_of(0.1F),
                       .least_rise = 2.5F};
  out.quantities[2] = {.metric = "storage_read_sectors_total",
                       .instance = "",
                       .label = "Disk read sectors",
                       .unit = "sectors/s",
                       .kind = model::Kind::kCounter,
                       .subsystem = model::Subsystem::kStorage,
                       .scope = model::Scope::kDisk,
                       .fold = Fold::kSum,
                       .floor = floor_of(1),
                       .least_rise = 0};
  return out;
}

// The head of the second of two messages; the first comes a second before, and knows nothing yet.
inline LevelsHead example_levels_head(std::uint32_t dictionary) {
  LevelsHead out;
  out.head = example_head();
  out.sequence = 61;
  out.dictionary = dictionary;
  out.jobs_changed = true;
  out.votes = 3;
  out.strength = 1.5F;
  out.shares = {0.2F, 0, 0, 0.8F, 0};
  out.missing = 0.1F;
  out.hung_sources = 1;
  return out;
}

inline Event example_event() {
  Event out;
  out.head = example_head();
  out.what = What::kUpdated;
  out.revision = 2;
  out.onset_ns = kExample_ns - 3'200'000'000;
  out.end_ns = kExample_ns;
  out.subsystem = model::Subsystem::kNetwork;
  out.severity = Severity::kModerate;
  out.finding = "F1";
  out.claim = "Received packets dropped rose to 40/s";
  out.pattern = "lossy_link";
  out.detail = R"({"id":"F1"})";
  return out;
}

inline Facts example_facts() {
  Facts out;
  out.head = example_head();
  out.host = "node-7";
  out.kernel = "6.1.0";
  out.machine = "x86_64";
  out.boot_id = "b";
  out.reveal_version = "0.1.0";
  out.start_wall_ns = kExample_ns;
  out.cpus_online = 48;
  out.labels = {{"rack", "r4"}};
  out.groups = {"role=train"};
  out.facts = {{"cpufreq", "governor of cpu 0-47", "powersave"}};
  return out;
}

inline Question example_question() {
  return {.target = "/api/v1/stream", .last_event = "64a-7"};
}

inline AnswerPart example_first_part() {
  return {
      .number = 0,
      .head = AnswerHead{.status = 503, .retry_after_s = 1, .type = "text/plain", .body_bytes = 5},
      .bytes = "bus"};
}

inline AnswerPart example_second_part() {
  return {.number = 1, .head = {}, .bytes = "y\n"};
}

inline std::string random_text(base::Rng& rng, std::size_t most) {
  static const std::vector<std::string> kParts{"a", "Z", "_", "=", " ", "é", "→", "𝛼", "\n", "\""};
  std::string out;
  for (auto left = rng.below(most / 4 + 1); left > 0; --left)
    out += kParts[rng.below(kParts.size())];
  return out;
}

inline Head random_head(base::Rng& rng) {
  return {.clock_error_us = static_cast<std::uint32_t>(rng.next()),
          .run = rng.next(),
          .time_ns = static_cast<std::int64_t>(rng.next())};
}

inline Dictionary random_dictionary(base::Rng& rng, std::size_t quantities) {
  Dictionary out;
  out.bucket_ns = kShortestBucket_ns + static_cast<std::int64_t>(rng.below(1'000'000'000));
  for (std::size_t i = 0; i < quantities; ++i) {
    Quantity one;
    one.metric = "m" + std::to_string(i) + random_text(rng, 40);
    one.instance = random_text(rng, 40);
    one.label = random_text(rng, 80);
    one.unit = random_text(rng, kMaxUnit);
    one.kind = static_cast<model::Kind>(rng.below(3));
    one.subsystem = static_cast<model::Subsystem>(rng.below(model::kSubsystemCount));
    one.scope = static_cast<model::Scope>(rng.below(8));
    one.fold = static_cast<Fold>(rng.below(5));
    one.floor = static_cast<std::uint16_t>(1 + rng.below(kLargestMagnitude));
    one.least_rise = static_cast<float>(rng.uniform());
    out.quantities.push_back(std::move(one));
  }
  return out;
}

// Moves some of the codes: many by a little, few by much or to no level.
inline void move(base::Rng& rng, std::vector<Code>& codes) {
  for (auto& code : codes) {
    const auto kind = rng.below(20);
    if (kind < 14) continue;
    if (kind < 18) {
      const auto moved = std::int64_t{code} + static_cast<std::int64_t>(rng.below(9)) - 4;
      if (is_code(moved)) code = static_cast<Code>(moved);
    } else if (kind == 18) {
      code = static_cast<Code>(static_cast<std::int64_t>(rng.below(2 * kLargestMagnitude + 1)) -
                               std::int64_t{kLargestMagnitude});
    } else {
      code = kAbsent;
    }
  }
}

inline LevelsHead random_levels_head(base::Rng& rng, const LevelsHead& before) {
  LevelsHead out = before;
  out.sequence += 1 + (rng.below(20) == 0 ? rng.below(400) : 0);
  out.head.time_ns += 1'000'000'000;
  out.learning = rng.below(4) == 0;
  out.gap_before = rng.below(4) == 0;
  out.jobs_changed = rng.below(4) == 0;
  out.late = rng.below(4) == 0;
  out.votes = out.learning ? std::uint8_t{0} : static_cast<std::uint8_t>(rng.below(256));
  out.strength = out.learning ? 0 : static_cast<float>(rng.uniform() * 100);
  for (auto& share : out.shares) share = out.learning ? 0 : static_cast<float>(rng.uniform());
  out.missing = static_cast<float>(rng.uniform());
  out.hung_sources = static_cast<std::uint8_t>(rng.below(256));
  return out;
}

inline Event random_event(base::Rng& rng) {
  Event out;
  out.head = random_head(rng);
  out.what = static_cast<What>(1 + rng.below(3));
  out.revision = static_cast<std::uint32_t>(1 + rng.below(0xFFFF'FFFF));
  out.onset_ns = static_cast<std::int64_t>(rng.next() >> 2);
  out.end_ns = out.onset_ns + static_cast<std::int64_t>(rng.next() >> 2);
  out.subsystem = static_cast<model::Subsystem>(rng.below(model::kSubsystemCount));
  out.severity = static_cast<Severity>(rng.below(4));
  out.finding = "F" + std::to_string(rng.next());
  out.claim = random_text(rng, kMaxClaim);
  out.pattern = random_text(rng, kMaxPattern);
  out.detail = random_text(rng, kMaxDetail);
  return out;
}

inline Facts random_facts(base::Rng& rng) {
  Facts out;
  out.head = random_head(rng);
  out.host = "h" + random_text(rng, 60);
  out.kernel = random_text(rng, kMaxName);
  out.machine = random_text(rng, kMaxName);
  out.boot_id = random_text(rng, kMaxName);
  out.reveal_version = random_text(rng, kMaxName);
  out.interval_ns = static_cast<std::int64_t>(1 + rng.below(kLongestBucket_ns));
  out.start_wall_ns = static_cast<std::int64_t>(rng.next() >> 1);
  out.cpus_online = static_cast<std::uint32_t>(rng.below(kMaxProcessors + 1));
  for (auto left = rng.below(kMaxLabels + 1); left > 0; --left) {
    out.labels.emplace_back(random_text(rng, kMaxLabelName), random_text(rng, kMaxName));
  }
  for (auto left = rng.below(kMaxGroups + 1); left > 0; --left) {
    out.groups.push_back(random_text(rng, kMaxName));
  }
  for (auto left = rng.below(200); left > 0; --left) {
    out.facts.push_back(
        {random_text(rng, 40), random_text(rng, kMaxName), random_text(rng, kMaxFactText)});
  }
  return out;
}

inline Question random_question(base::Rng& rng) {
  return {.target = "/" + random_text(rng, 200), .last_event = random_text(rng, kMaxEventId)};
}

inline AnswerPart random_answer_part(base::Rng& rng) {
  AnswerPart out;
  out.is_being_made = rng.below(8) == 0;
  if (out.is_being_made) return out;
  for (auto left = rng.below(40); left > 0; --left) out.bytes += static_cast<char>(rng.below(256));
  out.number = rng.below(3);
  if (out.number > 0) {
    out.bytes += 'x';
    return out;
  }
  const auto more = out.bytes.empty() ? 0 : rng.below(1000);
  out.head = AnswerHead{.status = static_cast<std::uint16_t>(200 + rng.below(400)),
                        .retry_after_s = static_cast<std::uint32_t>(rng.below(3)),
                        .type = random_text(rng, kMaxMediaType),
                        .body_bytes = out.bytes.size() + more};
  return out;
}

}  // namespace reveal::wire
