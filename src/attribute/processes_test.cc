#include "attribute/processes.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr double kMiB = 1024.0 * 1024.0;

// Two minutes in which, from second 60 to 70, a process of each of two groups uses more.
class Processes : public ::testing::Test {
 protected:
  Processes() {
    model::MetricDescriptor metric;
    metric.name = "cpu_cgroup_usage_seconds_total";
    metric.scope = model::Scope::kCgroup;
    group_ = channels_.add_channel(channels_.add_metric(metric), "cg=/job1");
    other_ = channels_.add_channel(channels_.add_metric(metric), "cg=/job2");
    writer_ = channels_.add_channel(channels_.add_metric(metric), "cg=/system.slice/x.service");
    for (int second = 1; second <= 120; ++second) {
      const bool in = second > 60 && second <= 70;
      timeline_.add(second * kSecond_ns, second * kSecond_ns,
                    {note("burner", 7, "/job1/step_0", in ? 0.9 : 0.1, 0),
                     note("dd", 8, "/system.slice/x.service", in ? 1.5 : 0.1, in ? 50 * kMiB : 0)});
    }
    finding_.windows.resize(1);
    finding_.windows[0].span.begin_ns = 60 * kSecond_ns;
    finding_.windows[0].span.end_ns = 70 * kSecond_ns;
  }

  static model::Note note(std::string name, std::uint64_t pid, std::string group, double cores,
                          double written) {
    model::ProcessUse use;
    use.name = std::move(name);
    use.pid = pid;
    use.group = std::move(group);
    use.seconds = 1;
    use.cores = cores;
    use.resident = kMiB;
    use.read = 0;
    use.written = written;
    return model::note_of(use);
  }

  void blame(model::Subsystem subsystem) {
    finding_.subsystems = {};
    finding_.subsystems[static_cast<std::size_t>(subsystem)] = 1;
  }
  std::string name() const {
    const auto found = process_of(timeline_, channels_, finding_);
    return found ? found->name : "";
  }

  model::ChannelTable channels_;
  model::ChannelId group_{0};
  model::ChannelId other_{0};
  model::ChannelId writer_{0};
  model::ProcessTimeline timeline_;
  Finding finding_;
};

TEST_F(Processes, IsOfTheCulpritsGroup) {
  blame(model::Subsystem::kStorage);
  finding_.culprit = GroupLevel{group_, 0.9, 0.1};
  EXPECT_EQ(name(), "burner") << "dd used more, but is in another group";
}

// Where the kernel counts no storage by group, the culprit's group is known by its CPU time.
TEST_F(Processes, OfTheCulpritsGroupTheFindingsOwnResourceSaysMost) {
  blame(model::Subsystem::kStorage);
  finding_.culprit = GroupLevel{writer_, 1.5, 0.1};
  const auto found = process_of(timeline_, channels_, finding_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "dd");
  EXPECT_EQ(found->resource, model::Subsystem::kStorage);
}

TEST_F(Processes, OfAGroupThatIsKnownByItsTrafficCpuTimeTells) {
  model::MetricDescriptor metric;
  metric.name = "network_cgroup_traffic_bytes_per_second";
  metric.scope = model::Scope::kCgroup;
  metric.subsystem = model::Subsystem::kNetwork;
  blame(model::Subsystem::kNetwork);
  const auto pod = channels_.add_channel(channels_.add_metric(metric), "cg=/job1");
  finding_.culprit = GroupLevel{pod, 3e8, 1e5};
  EXPECT_EQ(name(), "burner");
}

TEST_F(Processes, OfAGroupThatCameToAGpuCpuTimeTells) {
  model::MetricDescriptor metric;
  metric.name = "gpu_cgroup_sm_busy_ratio";
  metric.subsystem = model::Subsystem::kGpu;
  metric.scope = model::Scope::kCgroup;
  const auto use = channels_.add_channel(channels_.add_metric(metric), "cg=/job1,gpu=0000:06:00.0");
  finding_.culprit = GroupLevel{use, 0.48, 0};
  blame(model::Subsystem::kGpu);
  EXPECT_EQ(name(), "burner");
}

TEST_F(Processes, OfAFindingThatTellsOfStoppedProcessesTheseAreNamed) {
  model::ProcessTimeline timeline;
  for (int second = 1; second <= 120; ++second) {
    const bool in = second > 60 && second <= 70;
    auto stopped = model::process_use_of(note("train", 9, "/job3", in ? 0 : 0.8, 0)).value();
    stopped.stopped = in;
    timeline.add(second * kSecond_ns, second * kSecond_ns,
                 {note("burner", 7, "/job1/step_0", in ? 0.9 : 0.1, 0), model::note_of(stopped)});
  }
  model::MetricDescriptor metric;
  metric.name = "cpu_stopped_processes";
  const auto channel = channels_.add_channel(channels_.add_metric(metric), "");
  blame(model::Subsystem::kCpu);
  finding_.culprit = GroupLevel{group_, 0.9, 0.1};
  EXPECT_FALSE(is_cleared_by(timeline, channels_, finding_));
  finding_.telling = Evidence{.key = {channel, {}}};
  EXPECT_TRUE(is_cleared_by(timeline, channels_, finding_)) << "it uses what the others left";
  const auto found = process_of(timeline, channels_, finding_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "train");
  EXPECT_EQ(phrase_of(*found),
            "stood still, stopped by a signal or a tracer (usually used 0.80 of a core)");
  EXPECT_EQ(process_of(timeline_, channels_, finding_)->name, "burner") << "nobody was stopped";
}

TEST_F(Processes, OfAFrozenGroupNobodyIsNamedWhoUsesWhatItLeft) {
  model::MetricDescriptor metric;
  metric.name = "cpu_cgroup_frozen_flag";
  metric.scope = model::Scope::kCgroup;
  const auto frozen = channels_.add_channel(channels_.add_metric(metric), "cg=/job3");
  blame(model::Subsystem::kCpu);
  finding_.culprit = GroupLevel{group_, 0.9, 0.1};
  finding_.telling = Evidence{.key = {frozen, {}}};
  EXPECT_TRUE(is_cleared_by(timeline_, channels_, finding_));
  EXPECT_FALSE(process_of(timeline_, channels_, finding_));
}

TEST_F(Processes, AGroupThatOnlyComputedMoreIsNotToBlameWhereAnotherKeptTheDiskBusy) {
  const auto cleared = [&](model::ChannelId group, model::Subsystem subsystem, double usual = 0.4) {
    blame(subsystem);
    finding_.culprit = GroupLevel{group, 0.9, usual};
    return is_cleared_by(timeline_, channels_, finding_);
  };
  EXPECT_TRUE(cleared(group_, model::Subsystem::kStorage)) << "dd wrote, and is in another group";
  EXPECT_FALSE(cleared(writer_, model::Subsystem::kStorage)) << "that is dd's own";
  EXPECT_TRUE(cleared(group_, model::Subsystem::kStorage, 0.0)) << "dd has a group of its own";
  EXPECT_FALSE(cleared(group_, model::Subsystem::kCpu));
  finding_.culprit.reset();
  blame(model::Subsystem::kStorage);
  EXPECT_FALSE(is_cleared_by(timeline_, channels_, finding_));
}

TEST_F(Processes, WhoCameWithTheFindingIsNotClearedByTheRoot) {
  model::ProcessTimeline timeline;
  for (int second = 1; second <= 120; ++second) {
    const double written = second > 60 && second <= 70 ? 20 * kMiB : 0;
    timeline.add(second * kSecond_ns, second * kSecond_ns, {note("ccache", 7, "", 0.1, written)});
  }
  blame(model::Subsystem::kStorage);
  for (const double usual : {0.0, 0.6}) {
    finding_.culprit = GroupLevel{group_, 0.9, usual};
    EXPECT_EQ(is_cleared_by(timeline, channels_, finding_), usual == 0.6);
  }
}

TEST_F(Processes, WhoCameWithTheFindingIsClearedByTheRootsBulk) {
  for (const double written : {20 * kMiB, 700 * kMiB}) {
    for (const double own : {0.0, 2 * kMiB, 300 * kMiB}) {
      model::ProcessTimeline timeline;
      for (int second = 1; second <= 120; ++second) {
        const bool in = second > 60 && second <= 70;
        timeline.add(second * kSecond_ns, second * kSecond_ns,
                     {note("dd", 7, "", 0.1, in ? written : 0),
                      note("beside", 8, "/job1", 0.1, in ? own : 0)});
      }
      blame(model::Subsystem::kStorage);
      finding_.culprit = GroupLevel{group_, 0.4, 0};
      const bool bulk = written > 100 * kMiB && own < 100 * kMiB;
      EXPECT_EQ(is_cleared_by(timeline, channels_, finding_), bulk) << written << " " << own;
    }
  }
}

TEST_F(Processes, AGroupIsNotToBlameForAProcessOfTheRootThatComputedMore) {
  for (const double cores : {0.2, 0.6}) {
    model::ProcessTimeline timeline;
    for (int second = 1; second <= 120; ++second) {
      const bool in = second > 60 && second <= 70;
      timeline.add(
          second * kSecond_ns, second * kSecond_ns,
          {note("looper", 7, "", in ? cores : 0, 0), note("beside", 8, "/job1", in ? 0.4 : 0, 0)});
    }
    blame(model::Subsystem::kCpu);
    finding_.culprit = GroupLevel{group_, 0.4, 0};
    EXPECT_EQ(is_cleared_by(timeline, channels_, finding_), cores == 0.6);
  }
}

// What a group does on one disk has the disk in its name.
TEST_F(Processes, AGroupThatIsKnownByItsDiskIsTheSame) {
  blame(model::Subsystem::kStorage);
  model::MetricDescriptor metric;
  metric.name = "storage_cgroup_written_bytes_total";
  metric.subsystem = model::Subsystem::kStorage;
  const auto id =
      channels_.add_channel(channels_.add_metric(metric), "cg=/system.slice/x.service,dev=sda");
  finding_.culprit = GroupLevel{id, 50 * kMiB, 0};
  EXPECT_EQ(name(), "dd");
}

TEST_F(Processes, NobodyIsNamedWhomTheGroupContradicts) {
  finding_.culprit = GroupLevel{other_, 0.9, 0.1};
  EXPECT_EQ(name(), "");
  EXPECT_EQ(why_no_process(&timeline_),
            "no process that lived long enough to be seen used more than usual");
}

TEST_F(Processes, OneOfNoGroupOfItsOwnIsInTheRoot) {
  model::ProcessTimeline timeline;
  for (int second = 1; second <= 120; ++second) {
    const double cores = second > 60 && second <= 70 ? 1.5 : 0.1;
    timeline.add(second * kSecond_ns, second * kSecond_ns, {note("clang", 7, "", cores, 0)});
  }
  EXPECT_TRUE(process_of(timeline, channels_, finding_)) << "nobody is named before it";
  finding_.culprit = GroupLevel{group_, 0.9, 0.1};
  EXPECT_FALSE(process_of(timeline, channels_, finding_));
}

TEST_F(Processes, WithoutAGroupTheSubsystemTells) {
  blame(model::Subsystem::kStorage);
  const auto found = process_of(timeline_, channels_, finding_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "dd");
  EXPECT_EQ(found->resource, model::Subsystem::kStorage);
}

TEST_F(Processes, ALittleCpuTimeTellsNothingOfAnotherResource) {
  model::ProcessTimeline timeline;
  for (int second = 1; second <= 120; ++second) {
    const double cores = second > 60 && second <= 70 ? 0.5 : 0.1;
    timeline.add(second * kSecond_ns, second * kSecond_ns, {note("cc1plus", 7, "", cores, 0)});
  }
  for (const auto subsystem : {model::Subsystem::kNetwork, model::Subsystem::kCpu}) {
    blame(subsystem);
    const bool own = subsystem == model::Subsystem::kCpu;
    EXPECT_EQ(process_of(timeline, channels_, finding_).has_value(), own);
  }
}

TEST_F(Processes, ElseCpuTimeDoes) {
  blame(model::Subsystem::kNetwork);
  const auto found = process_of(timeline_, channels_, finding_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "dd");
  EXPECT_EQ(found->resource, model::Subsystem::kCpu);
}

// A new one of 1.5 cores is much of two, and nothing of 64; a busy one that does more is no new
// one.
TEST_F(Processes, TakeProcessorsIfTheyAreNewAndManyForTheHost) {
  struct Case {
    double before;
    double while_it_lasts;
    int cores;  // of the host
    bool takes;
  };
  for (const auto& it : {Case{0.1, 1.5, 2, true}, Case{0.1, 1.5, 0, true}, Case{0.1, 0.5, 2, false},
                         Case{0.6, 1.5, 2, false}, Case{0.1, 1.5, 64, false}}) {
    model::ChannelTable channels;
    model::MetricDescriptor metric;
    metric.name = "cpu_busy_ratio";
    metric.scope = model::Scope::kCore;
    const auto id = channels.add_metric(metric);
    for (int i = 0; i < it.cores; ++i) channels.add_channel(id, "cpu=" + std::to_string(i));
    model::ProcessTimeline timeline;
    for (int second = 1; second <= 120; ++second) {
      const double cores = second > 60 && second <= 70 ? it.while_it_lasts : it.before;
      timeline.add(second * kSecond_ns, second * kSecond_ns, {note("cc1plus", 7, "", cores, 0)});
    }
    EXPECT_EQ(take_processors(timeline, channels, finding_), it.takes)
        << it.before << " " << it.while_it_lasts << " " << it.cores;
  }
}

model::ProcessRise rise(model::Subsystem resource, double observed, double usual, double share) {
  model::ProcessRise out;
  out.resource = resource;
  out.observed = observed;
  out.usual = usual;
  out.share = share;
  return out;
}

TEST(ProcessPhrase, SaysHowMuchOfWhat) {
  EXPECT_EQ(phrase_of(rise(model::Subsystem::kCpu, 1.884, 0.02, 0.927)),
            "used 1.88 cores (usually 0.02), 93 % of what all processes used more");
  auto of_many = rise(model::Subsystem::kCpu, 2.75, 0, 1);
  of_many.at_least = true;
  EXPECT_EQ(phrase_of(of_many), "used at least 2.75 cores (usually 0.00)");
  EXPECT_EQ(phrase_of(rise(model::Subsystem::kStorage, 50 * kMiB, 0, 1)),
            "read and wrote 50 MiB/s (usually 0 bytes/s), 100 % of what all processes used more");
  EXPECT_EQ(phrase_of(rise(model::Subsystem::kMemory, 1024 * kMiB, 512 * kMiB, 0.5)),
            "held 1 GiB (before 512 MiB), 50 % of what all processes used more");
}

TEST(ProcessPhrase, WithoutATimelineProcessesWereNotRecorded) {
  EXPECT_EQ(why_no_process(nullptr), "processes were not recorded");
  const model::ProcessTimeline empty;
  EXPECT_EQ(why_no_process(&empty), "processes were not recorded");
}

}  // namespace
}  // namespace reveal::attribute
