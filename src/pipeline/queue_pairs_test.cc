// Recordings of a host whose job talks to others through an RDMA adapter, on many queue pairs and
// for 15 s on few.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"

namespace reveal::pipeline {
namespace {

using testing::Contains;
using testing::Not;

// What the adapter's counts are from 60 to 75 s. Before and after, the job's processes hold it open
// 8 times; 3 of the queue pairs are the kernel's, whoever else is there.
struct Meanwhile {
  std::uint64_t queue_pairs = 35;
  std::uint64_t contexts = 8;
  std::uint64_t sent_percent = 100;  // of what the job sends otherwise
  bool has_contexts = true;          // else the kernel is older than Linux 5.3
};

// Two minutes at 10 Hz. In the stretch the receivers at the other end are not ready in time, which
// is what makes it a finding.
class MadeAdapter {
 public:
  explicit MadeAdapter(const Meanwhile& meanwhile) : meanwhile_(meanwhile) {
    facts.host = "made";
    facts.interval_ns = 100'000'000;
    facts.cpus_online = 4;
    for (int i = 0; i < 8; ++i) {
      add("cpu_" + std::to_string(i), "seconds", model::Kind::kCounter, 20'000, 1e-6);
    }
    queue_pairs_ = add("network_rdma_queue_pairs", "objects", model::Kind::kGauge, 35);
    if (meanwhile.has_contexts) {
      contexts_ = add("network_rdma_contexts", "objects", model::Kind::kGauge, 8);
    }
    sent_ = add("network_infiniband_sent_bytes_total", "bytes", model::Kind::kCounter, 100'000'000);
    not_ready_ = add("network_rdma_receiver_not_ready_total", "packets", model::Kind::kEvent, 0);
    frame_.resize(channels.channel_count());
    sums_.resize(channels.channel_count(), 1'000'000);
  }

  const model::Frame& tick() {
    auto now = levels_;
    if (next_ >= 600 && next_ < 750) {
      now[queue_pairs_] = meanwhile_.queue_pairs;
      if (contexts_ > 0) now[contexts_] = meanwhile_.contexts;
      now[sent_] = now[sent_] * meanwhile_.sent_percent / 100;
      now[not_ready_] = 50;
    }
    frame_.sequence = next_;
    frame_.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(next_) * 100'000'000;
    frame_.mono_ns = static_cast<std::int64_t>(next_ + 1) * 100'000'000;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const model::ChannelId channel(i);
      if (channels.metric(channel).kind == model::Kind::kGauge) {
        frame_.set_u64(channel, now[i]);
        continue;
      }
      sums_[i] += now[i] * (90 + rng_.below(21)) / 100;
      frame_.set_u64(channel, sums_[i]);
    }
    ++next_;
    return frame_;
  }

  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  // Adds a channel with its level, or by how much it grows about in a tick. Returns its number.
  std::size_t add(std::string_view name, std::string_view unit, model::Kind kind,
                  std::uint64_t level, double scale = 1) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = name;
    metric.unit = unit;
    metric.kind = kind;
    metric.scale = scale;
    const bool of_adapter = name.starts_with("network_");
    metric.subsystem = of_adapter ? model::Subsystem::kNetwork : model::Subsystem::kCpu;
    if (of_adapter) metric.scope = model::Scope::kNic;
    channels.add_channel(channels.add_metric(metric), of_adapter ? "dev=mlx5_0" : "");
    levels_.push_back(level);
    return levels_.size() - 1;
  }

  Meanwhile meanwhile_;
  base::Rng rng_{7};
  std::vector<std::uint64_t> levels_;  // by channel
  std::vector<std::uint64_t> sums_;
  model::Frame frame_;
  std::uint64_t next_ = 0;
  std::size_t queue_pairs_ = 0;
  std::size_t contexts_ = 0;  // 0: nobody counts them
  std::size_t sent_ = 0;
  std::size_t not_ready_ = 0;
};

// Returns the names of all patterns of the findings, of which there must be one at least.
std::vector<std::string> patterns_of(const Meanwhile& meanwhile) {
  MadeAdapter host(meanwhile);
  Pipeline pipeline{PipelineConfig{}};
  EXPECT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i <= 1200; ++i) EXPECT_TRUE(pipeline.write(host.channels, host.tick()));
  const auto report = pipeline.analyze();
  std::vector<std::string> out;
  if (!report) {
    ADD_FAILURE() << report.error().message();
    return out;
  }
  EXPECT_FALSE(report->findings.empty());
  for (const auto& finding : report->findings) {
    for (const auto& one : finding.patterns) out.emplace_back(one.pattern->name);
  }
  return out;
}

TEST(QueuePairs, FewOfThemAreNamed) {
  EXPECT_THAT(patterns_of({.queue_pairs = 5, .sent_percent = 60}), Contains("few_queue_pairs"));
}

// One a connection instead of two: with those of the kernel it is more than half.
TEST(QueuePairs, HalfOfTheJobsAreFew) {
  EXPECT_THAT(patterns_of({.queue_pairs = 19}), Contains("few_queue_pairs"));
}

TEST(QueuePairs, AsManyAsUsualAreNotNamed) {
  EXPECT_THAT(patterns_of({.sent_percent = 60}), Not(Contains("few_queue_pairs")));
  EXPECT_THAT(patterns_of({.queue_pairs = 30}), Not(Contains("few_queue_pairs")));
}

TEST(QueuePairs, AJobThatHasEndedIsNotAtFault) {
  EXPECT_THAT(patterns_of({.queue_pairs = 3, .contexts = 0, .sent_percent = 0}),
              Not(Contains("few_queue_pairs")));
  EXPECT_THAT(patterns_of({.queue_pairs = 3, .contexts = 0}), Not(Contains("few_queue_pairs")));
  EXPECT_THAT(patterns_of({.queue_pairs = 3, .sent_percent = 5}), Not(Contains("few_queue_pairs")));
}

TEST(QueuePairs, WithoutContextsNobodyKnowsWhetherTheJobHasEnded) {
  EXPECT_THAT(patterns_of({.queue_pairs = 5, .has_contexts = false}),
              Not(Contains("few_queue_pairs")));
}

}  // namespace
}  // namespace reveal::pipeline
