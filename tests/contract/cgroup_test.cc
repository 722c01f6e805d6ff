// Control groups on the fixture hosts: values read off the files by eye, of version 1 in the units
// of version 2, who runs in a group as facts, and nothing allocated while a host stays as it is.
#include <map>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "allocation_count.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

const CollectorDescriptor& collector(std::string_view name) {
  for (const auto& descriptor : registry()) {
    if (descriptor.name == name) return descriptor;
  }
  throw std::runtime_error("no such collector");
}

Values cgroups_of(std::string_view host) {
  Values out = values_of(collector("cgroup"), fixtures() / host);
  out.merge(values_of(collector("cgroup_detail"), fixtures() / host));
  return out;
}

// Returns the values of one group, by metric and part.
Values of_group(const Values& values, const std::string& instance) {
  Values out;
  for (const auto& [channel, value] : values) {
    const auto brace = channel.find('{');
    if (brace == std::string::npos) continue;
    const std::string found = channel.substr(brace + 1, channel.size() - brace - 2);
    if (!found.starts_with(instance)) continue;
    const std::string part = found.substr(instance.size());
    if (part.empty() || part[0] == ',') out[channel.substr(0, brace) + part] = value;
  }
  return out;
}

TEST(CgroupContract, PodOfVersionTwo) {
  const Values all = cgroups_of("k8s-node-cgroup2");
  const Values expected = {
      {"cpu_cgroup_usage_seconds_total", 7'000'300'000},  // the file has us
      {"cpu_cgroup_user_seconds_total", 7'000'200'000},
      {"cpu_cgroup_system_seconds_total", 7'000'100'000},
      {"cpu_cgroup_periods_total", 740},
      {"cpu_cgroup_throttled_periods_total", 74},
      {"cpu_cgroup_throttled_seconds_total", 7'400'000},
      {"cpu_cgroup_pressure_some_seconds_total", 7010},
      {"cpu_cgroup_tasks", 7},
      {"cpu_cgroup_task_limit_hits_total", 6},
      {"memory_cgroup_used_bytes", 7'340'032},
      {"memory_cgroup_swap_bytes", 28'672},
      {"memory_cgroup_high_events_total", 71},
      {"memory_cgroup_limit_hits_total", 72},
      {"memory_cgroup_oom_events_total", 73},
      {"memory_cgroup_oom_kills_total", 74},
      {"memory_cgroup_pressure_some_seconds_total", 7020},
      {"memory_cgroup_pressure_full_seconds_total", 7021},
      {"memory_cgroup_hugetlb_bytes,size=1GB", 0},
      {"memory_cgroup_hugetlb_bytes,size=2MB", 4'194'304},
      {"storage_cgroup_read_bytes_total,dev=dm-0", 710},
      {"storage_cgroup_read_bytes_total,dev=nvme0n1", 730},
      {"storage_cgroup_written_bytes_total,dev=dm-0", 720},
      {"storage_cgroup_written_bytes_total,dev=nvme0n1", 740},
      {"storage_cgroup_reads_total,dev=dm-0", 71},
      {"storage_cgroup_reads_total,dev=nvme0n1", 73},
      {"storage_cgroup_writes_total,dev=dm-0", 72},
      {"storage_cgroup_writes_total,dev=nvme0n1", 74},
      {"storage_cgroup_pressure_some_seconds_total", 7030},
      {"storage_cgroup_pressure_full_seconds_total", 7031},
      {"network_cgroup_rdma_handles,dev=mlx5_0", 7},
      {"network_cgroup_rdma_handles,dev=mlx5_1", 0},
      {"network_cgroup_rdma_objects,dev=mlx5_0", 700},
      {"network_cgroup_rdma_objects,dev=mlx5_1", 0},
      {"cpu_cgroup_frozen_flag", 0},
      {"memory_cgroup_anonymous_bytes", 28'672},
      {"memory_cgroup_file_bytes", 57'344},
      {"memory_cgroup_shared_bytes", 86'016},
      {"memory_cgroup_dirty_bytes", 114'688},
      {"memory_cgroup_writeback_bytes", 143'360},
      {"memory_cgroup_unevictable_bytes", 172'032},
      {"memory_cgroup_slab_bytes", 200'704},
      {"memory_cgroup_page_faults_total", 7000},
      {"memory_cgroup_major_page_faults_total", 70},
      {"memory_cgroup_refaulted_anonymous_pages_total", 56},
      {"memory_cgroup_refaulted_file_pages_total", 63},
      {"memory_cgroup_node_anonymous_bytes,node=0", 57'344},
      {"memory_cgroup_node_anonymous_bytes,node=1", 28'672},
      {"memory_cgroup_limit_bytes", 8'589'934'592},
      {"cpu_cgroup_quota_cores", 2'500'000},  // 250000 of every 100000 us
      {"cpu_cgroup_allowed_cores", 16},
      {"memory_cgroup_allowed_nodes", 2},
  };
  EXPECT_EQ(of_group(all,
                     "cg=/kubepods-burstable-pod8a1f2b3c_4d5e.slice/"
                     "cri-containerd-3f2a9b8c7d6e.scope"),
            expected);
  // No limit is no value, and neither is I/O that never was.
  const Values pause = of_group(all,
                                "cg=/kubepods-burstable-pod8a1f2b3c_4d5e.slice/"
                                "cri-containerd-aaaaaaaaaaaa.scope");
  EXPECT_EQ(pause.at("cpu_cgroup_tasks"), 1u);
  EXPECT_FALSE(pause.contains("memory_cgroup_limit_bytes"));
  EXPECT_FALSE(pause.contains("cpu_cgroup_quota_cores"));
  EXPECT_FALSE(pause.contains("storage_cgroup_reads_total,dev=nvme0n1"));
  const Values pinned = of_group(all, "cg=/kubepods-pod0badcafe_0001.slice");
  EXPECT_EQ(pinned.at("cpu_cgroup_allowed_cores"), 4u);
  EXPECT_EQ(pinned.at("memory_cgroup_allowed_nodes"), 1u);
  EXPECT_EQ(all.at("cpu_cgroups_not_followed"), 0u);
}

TEST(CgroupContract, JobStepOfVersionOne) {
  const Values all = cgroups_of("slurm-cgroup1");
  const Values expected = {
      {"cpu_cgroup_usage_seconds_total", 5'000'000'301},  // the file has ns
      {"cpu_cgroup_user_seconds_total", 5'000'000'201},
      {"cpu_cgroup_system_seconds_total", 5'000'000'100},
      {"cpu_cgroup_periods_total", 540},
      {"cpu_cgroup_throttled_periods_total", 54},
      {"cpu_cgroup_throttled_seconds_total", 54'000'007},
      {"cpu_cgroup_tasks", 5},
      {"cpu_cgroup_task_limit_hits_total", 4},
      {"memory_cgroup_used_bytes", 5'242'880},
      {"memory_cgroup_limit_hits_total", 52},
      {"memory_cgroup_oom_kills_total", 54},
      {"memory_cgroup_hugetlb_bytes,size=2MB", 10'485'760},
      // What the group and those below it did, not its own processes alone: 5 and 7 would be that.
      {"storage_cgroup_read_bytes_total,dev=8:0", 500},
      {"storage_cgroup_written_bytes_total,dev=8:0", 1000},
      {"storage_cgroup_reads_total,dev=8:0", 5},
      {"storage_cgroup_writes_total,dev=8:0", 10},
      {"network_cgroup_rdma_handles,dev=mlx5_0", 5},
      {"network_cgroup_rdma_objects,dev=mlx5_0", 500},
      {"memory_cgroup_anonymous_bytes", 20'480},
      {"memory_cgroup_file_bytes", 40'960},
      {"memory_cgroup_shared_bytes", 61'440},
      {"memory_cgroup_dirty_bytes", 81'920},
      {"memory_cgroup_writeback_bytes", 102'400},
      {"memory_cgroup_unevictable_bytes", 122'880},
      {"memory_cgroup_page_faults_total", 5000},
      {"memory_cgroup_major_page_faults_total", 50},
      // Pages in the file.
      {"memory_cgroup_node_anonymous_bytes,node=0",
       10 * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))},
      {"memory_cgroup_node_anonymous_bytes,node=1",
       5 * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))},
      {"memory_cgroup_limit_bytes", 34'359'738'368},
      {"cpu_cgroup_allowed_cores", 8},
      {"memory_cgroup_allowed_nodes", 1},
  };
  EXPECT_EQ(of_group(all, "cg=/slurm/uid_1000/job_4711/step_0"), expected);
  const Values job = of_group(all, "cg=/slurm/uid_1000/job_4711");
  EXPECT_EQ(job.at("cpu_cgroup_quota_cores"), 8'000'000u);
  // Only in some hierarchies, and a service without a limit.
  const Values batch = of_group(all, "cg=/slurm/uid_1000/job_4711/step_batch");
  EXPECT_EQ(batch.at("memory_cgroup_used_bytes"), 1'048'576u);
  EXPECT_FALSE(batch.contains("cpu_cgroup_usage_seconds_total"));
  const Values service = of_group(all, "cg=/system.slice/slurmd.service");
  EXPECT_EQ(service.at("cpu_cgroup_tasks"), 3u);
  EXPECT_FALSE(service.contains("memory_cgroup_limit_bytes"));
  // A task is a part of its step, which counts it; the host itself is no group.
  EXPECT_TRUE(of_group(all, "cg=/slurm/uid_1000/job_4711/step_0/task_0").empty());
  EXPECT_TRUE(of_group(all, "cg=/").empty());
  EXPECT_EQ(all.at("cpu_cgroups_not_followed"), 1u);
}

TEST(CgroupContract, BrokenFilesGiveWhatIsSound) {
  const Values expected = {
      {"cpu_cgroup_usage_seconds_total", 1'234'000},
      {"cpu_cgroup_throttled_periods_total", 3},
      {"memory_cgroup_high_events_total", 5},
      {"memory_cgroup_oom_kills_total", 6},
      {"memory_cgroup_pressure_some_seconds_total", 55},
      {"cpu_cgroup_task_limit_hits_total", 8},
      {"storage_cgroup_read_bytes_total,dev=259:1", 10},
      {"network_cgroup_rdma_objects,dev=mlx5_0", 12},
      {"memory_cgroup_anonymous_bytes", 4096},
      {"memory_cgroup_file_bytes", 81},
      {"memory_cgroup_page_faults_total", 7},
      {"memory_cgroup_node_anonymous_bytes,node=0", 4096},
      {"memory_cgroup_allowed_nodes", 1},
  };
  const Values all = cgroups_of("broken-cgroup2");
  EXPECT_EQ(of_group(all, "cg=/training"), expected);
  EXPECT_EQ(all.size(), expected.size() + 1);
}

// The two containers of a pod share its network: the sums of its two interfaces, and not of lo, are
// the pod's. What lives in the host's network has none.
TEST(CgroupContract, NetworksBelongToPods) {
  const Values all = values_of(collector("cgroup_network"), fixtures() / "k8s-node-cgroup2");
  const Values expected = {
      {"network_cgroup_received_bytes_total", 700'011},
      {"network_cgroup_received_packets_total", 7010},
      {"network_cgroup_receive_errors_total", 16},
      {"network_cgroup_receive_drops_total", 79},
      {"network_cgroup_sent_bytes_total", 800'007},
      {"network_cgroup_sent_packets_total", 8006},
      {"network_cgroup_send_errors_total", 77},
      {"network_cgroup_send_drops_total", 77},
      {"network_cgroup_tcp_sent_segments_total", 7700},
      {"network_cgroup_tcp_retransmits_total", 77},
      {"network_cgroup_udp_receive_buffer_errors_total", 78},
  };
  EXPECT_EQ(of_group(all, "cg=/kubepods-burstable-pod8a1f2b3c_4d5e.slice"), expected);
  const Values other = of_group(all, "cg=/kubepods-pod0badcafe_0001.slice");
  EXPECT_EQ(other.at("network_cgroup_received_bytes_total"), 600u);
  EXPECT_EQ(other.at("network_cgroup_tcp_retransmits_total"), 66u);
  EXPECT_EQ(all.size(), 2 * expected.size());
}

using Facts = std::map<std::string, std::string>;

Facts facts_of(std::string_view name, std::string_view host) {
  const auto one = collector(name).make();
  model::ChannelTable channels;
  EXPECT_TRUE(one->open(root_of(fixtures() / host), channels));
  model::Frame frame;
  FrameWriter writer(channels, frame, name);
  one->collect(writer);
  Facts out;
  for (const auto& note : frame.notes) out[note.subject] = note.text;
  const auto said = frame.notes.size();
  one->collect(writer);
  EXPECT_EQ(frame.notes.size(), said) << "said again though nothing changed";
  return out;
}

TEST(CgroupContract, FactsSayWhoRunsInAGroup) {
  const std::string pod = "pod 8a1f2b3c-4d5e-6f70-8192-a3b4c5d6e7f8 burstable";
  const std::string id = "3f2a9b8c7d6e" + std::string(52, '0');
  const Facts facts = facts_of("cgroup", "k8s-node-cgroup2");
  EXPECT_EQ(facts.at("cg=/kubepods-burstable-pod8a1f2b3c_4d5e.slice"), pod);
  EXPECT_EQ(facts.at("cg=/kubepods-burstable-pod8a1f2b3c_4d5e.slice/"
                     "cri-containerd-3f2a9b8c7d6e.scope"),
            pod + " containerd container " + id);
  EXPECT_EQ(facts.at("cg=/system.slice/kubelet.service"), "service kubelet.service");
  EXPECT_FALSE(facts.contains("cg=/system.slice"));
  const Facts jobs = facts_of("cgroup", "slurm-cgroup1");
  EXPECT_EQ(jobs.at("cg=/slurm/uid_1000/job_4711"), "slurm job 4711");
  EXPECT_EQ(jobs.at("cg=/slurm/uid_1000/job_4711/step_batch"), "slurm job 4711 step batch");
}

TEST(CgroupContract, FactsSayWhichCoresAGroupIsHeldTo) {
  const Facts expected = {
      {"cores of cg=/kubepods-pod0badcafe_0001.slice", "4-7"},
      {"memory nodes of cg=/kubepods-pod0badcafe_0001.slice", "0"},
      {"cores of cg=/kubepods-pod0badcafe_0001.slice/cri-containerd-5e5e5e5e5e5e.scope", "4-7"},
      {"memory nodes of cg=/kubepods-pod0badcafe_0001.slice/cri-containerd-5e5e5e5e5e5e.scope",
       "0"},
  };
  EXPECT_EQ(facts_of("cgroup_detail", "k8s-node-cgroup2"), expected);
}

TEST(CgroupContract, TicksAllocateNothing) {
  for (const char* name : {"cgroup", "cgroup_detail"}) {
    for (const char* host : {"k8s-node-cgroup2", "slurm-cgroup1", "broken-cgroup2"}) {
      const auto one = collector(name).make();
      model::ChannelTable channels;
      ASSERT_TRUE(one->open(root_of(fixtures() / host), channels));
      model::Frame frame;
      FrameWriter writer(channels, frame);
      one->collect(writer);  // which states the facts
      for (int tick = 0; tick < 3; ++tick) {
        const std::size_t before = allocation_count();
        one->collect(writer);
        EXPECT_EQ(allocation_count() - before, 0u) << name << " on " << host;
      }
    }
  }
}

}  // namespace
}  // namespace reveal::collect
