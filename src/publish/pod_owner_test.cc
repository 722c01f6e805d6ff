#include "publish/pod_owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace reveal::publish {
namespace {

TEST(PodOwner, IsTheNameWithoutNumberAndPart) {
  EXPECT_EQ(owner_of_pod("trainer-worker-3"), "trainer");
  EXPECT_EQ(owner_of_pod("trainer-master-0"), "trainer");
  EXPECT_EQ(owner_of_pod("kafka-0"), "kafka");
  EXPECT_EQ(owner_of_pod("llm-0-3"), "llm");
  EXPECT_EQ(owner_of_pod("worker-7"), "worker");
  EXPECT_EQ(owner_of_pod("big-model-9999"), "big-model");
}

TEST(PodOwner, OfRandomLettersThereIsNone) {
  // A DaemonSet, one whose letters are all digits, a Deployment, a Job, an indexed Job.
  for (const auto* name : {"kube-proxy-x7k2p", "kube-proxy-24579", "web-7d4b9c6f58-lq2vz",
                           "etl-b6txw", "fold-3-zk8wq", "plain", "-1", "7", ""}) {
    EXPECT_EQ(owner_of_pod(name), "") << name;
  }
}

TEST(PodOwner, IsReadOffTheFoldersOfTheKubelet) {
  const base::TempDir dir;
  const std::string uid = "8a1f2b3c-4d5e-6f70-8192-a3b4c5d6e7f8";
  for (const auto& folder : {"ml_trainer-worker-3_" + uid, std::string("ml_web-x7k2p_1"),
                             std::string("_a-1_2"), std::string("a_b-3"), std::string("other")}) {
    std::filesystem::create_directory(dir.path() / folder);
  }
  EXPECT_THAT(pod_owners(dir.path()), testing::ElementsAre(testing::Pair(uid, "ml/trainer")));
  EXPECT_THAT(pod_owners(dir.path() / "none"), testing::IsEmpty());
}

}  // namespace
}  // namespace reveal::publish
