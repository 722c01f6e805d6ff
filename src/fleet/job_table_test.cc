#include "fleet/job_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JobTable, TextsOfTheRecorderNameJobsAndPods) {
  EXPECT_EQ(job_in("slurm job 4711 step 0"), "slurm/4711");
  EXPECT_EQ(job_in("pod 8a1f burstable containerd container 3f2a"), "pod/8a1f");
  for (const auto* none : {"", "service a.service", "service a job b", "pod ", "slurm job "}) {
    EXPECT_EQ(job_in(none), "") << none;
  }
}

TEST(JobTable, AJobLastsAsLongAsOneOfItsControlGroups) {
  JobTable table;
  const auto say = [&](const std::string& subject, const std::string& text, std::int64_t wall_ns) {
    table.take({model::Note::Kind::kFact, "cgroup", subject, text}, wall_ns);
  };
  say("cg=/b", "slurm job 9", 10);
  say("cg=/a", "slurm job 7", 20);
  say("cg=/a/s", "slurm job 7 step 0", 30);
  say("cg=/c", "service cron.service", 30);
  EXPECT_THAT(table.jobs(), ElementsAre(RunningJob{"slurm/9", 10}, RunningJob{"slurm/7", 20}));
  say("cg=/a", "slurm job 7", 35);
  say("cg=/a", "", 40);
  EXPECT_THAT(table.jobs(), ElementsAre(RunningJob{"slurm/9", 10}, RunningJob{"slurm/7", 20}));
  say("cg=/a/s", "", 50);
  say("cg=/b", "slurm job 10", 60);
  EXPECT_THAT(table.jobs(), ElementsAre(RunningJob{"slurm/10", 60}));
  table.take({model::Note::Kind::kEvent, "cgroup", "cg=/b", ""}, 70);
  table.take({model::Note::Kind::kFact, "mark", "cg=/d", "slurm job 11"}, 70);
  say("cg=/b", "", 70);
  say("cg=/b", "", 80);
  EXPECT_THAT(table.jobs(), IsEmpty());
}

}  // namespace
}  // namespace reveal::fleet
