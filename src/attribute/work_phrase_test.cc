#include "attribute/work_phrase.h"

#include <array>

#include <gtest/gtest.h>

#include "attribute/consumers.h"

namespace reveal::attribute {
namespace {

TEST(WorkPhrase, ASentenceHasTheValueThePlaceAndWhatIsUsual) {
  const auto* phrase = work_phrase("storage_io_pressure_some_seconds_total");
  ASSERT_NE(phrase, nullptr);
  EXPECT_EQ(told(*phrase, 0.42, 0.03, "ratio"),
            "Tasks waited for the disk 42 % of the time (usually 3 %)");
  EXPECT_EQ(told(*phrase, 0.42, 0.03, "ratio", " on sda"),
            "Tasks waited for the disk 42 % of the time on sda (usually 3 %)");
  EXPECT_EQ(work_phrase("memory_used_bytes"), nullptr);
  EXPECT_EQ(group_phrase("storage_io_pressure_some_seconds_total"), nullptr);
}

// Each metric by which a group is named as culprit or sufferer, and the sentence of half a core,
// half of the time, or 3 MiB.
TEST(WorkPhrase, AGroupsSentenceBeginsWithItsName) {
  struct Case {
    std::string_view metric;
    double observed;
    std::string_view sentence;
  };
  constexpr auto kCases = std::to_array<Case>({
      {"cpu_cgroup_usage_seconds_total", 0.5, "used 0.50 of a core (usually 0.00)"},
      {"cpu_cgroup_usage_seconds_total", 12.79, "used 12.79 cores (usually 0.00)"},
      {"gpu_cgroup_sm_busy_ratio", 0.5, "used 50 % of GPU 0000:06:00.0 (usually 0 %)"},
      {"memory_cgroup_used_bytes", 3145728, "held 3 MiB (usually 0 bytes)"},
      {"memory_cgroup_limit_hits_total", 469, "hit its memory limit 469 times (usually 0 times)"},
      {"storage_cgroup_written_bytes_total", 3145728, "wrote 3 MiB/s (usually 0 bytes/s)"},
      {"storage_cgroup_read_bytes_total", 3145728, "read 3 MiB/s (usually 0 bytes/s)"},
      {"network_cgroup_traffic_bytes_per_second", 3145728,
       "sent and received 3 MiB/s (usually 0 bytes/s)"},
      {"network_cgroup_tcp_retransmit_ratio", 0.5,
       "sent again 50 % of its TCP segments (usually 0 %)"},
      {"cpu_cgroup_throttled_seconds_total", 0.5,
       "was kept off 0.50 of a core by its CPU quota (usually 0.00)"},
      {"cpu_cgroup_throttled_seconds_total", 2.38,
       "was kept off 2.38 cores by its CPU quota (usually 0.00)"},
      {"cpu_cgroup_pressure_some_seconds_total", 0.5,
       "waited for a CPU 50 % of the time (usually 0 %)"},
      {"memory_cgroup_pressure_some_seconds_total", 0.5,
       "waited for memory 50 % of the time (usually 0 %)"},
      {"storage_cgroup_pressure_some_seconds_total", 0.5,
       "waited for the disk 50 % of the time (usually 0 %)"},
  });
  for (const auto& one : kCases) {
    model::ChannelTable channels;
    model::MetricDescriptor descriptor;
    descriptor.name = one.metric;
    const bool of_gpu = one.metric.starts_with("gpu_");
    const auto id = channels.add_channel(channels.add_metric(descriptor),
                                         of_gpu ? "cg=/job,gpu=0000:06:00.0" : "cg=/job");
    EXPECT_EQ(phrase_of(channels, {id, one.observed, 0}), one.sentence);
  }
}

}  // namespace
}  // namespace reveal::attribute
