#include "peers/job_name.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

TEST(JobName, IsReadOffTheKeyOfItsGroup) {
  EXPECT_EQ(job_of_group("job=slurm/4711"), (JobName{"", "slurm", "4711"}));
  EXPECT_EQ(job_of_group("east/job=pbs/12.head"), (JobName{"east", "pbs", "12.head"}));
  EXPECT_EQ(job_of_group("job=kubernetes/ml/trainer"), (JobName{"", "kubernetes", "ml/trainer"}));
  EXPECT_EQ(job_of_group("eu/west/job=slurm/1"), (JobName{"eu/west", "slurm", "1"}));
  for (const auto* none : {"", "role=train", "role=x/job=slurm/1", "role=job=slurm/1",
                           "job=", "job=slurm", "job=slurm/", "job=/1", "x.job=slurm/1"}) {
    EXPECT_FALSE(job_of_group(none)) << none;
  }
}

TEST(JobName, PeopleAreToldInWords) {
  EXPECT_EQ(group_in_words("job=slurm/4711"), "Slurm job 4711");
  EXPECT_EQ(group_in_words("east/job=slurm/4711"), "Slurm job 4711 of east");
  EXPECT_EQ(group_in_words("job=pbs/12.head"), "PBS job 12.head");
  EXPECT_EQ(group_in_words("job=kubernetes/ml/trainer"), "Kubernetes workload ml/trainer");
  EXPECT_EQ(group_in_words("job=label/nightly"), "job nightly");
  EXPECT_EQ(group_in_words("role=train"), "role=train");
}

}  // namespace
}  // namespace reveal::peers
