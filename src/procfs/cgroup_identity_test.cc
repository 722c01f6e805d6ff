// Not fuzzed here: mountinfo_test.cc's case gives it any text as a path.
#include "procfs/cgroup_identity.h"

#include <gmock/gmock.h>

namespace reveal::procfs {
namespace {

constexpr std::string_view kId = "3f2a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f00";
constexpr std::string_view kUid = "8a1f2b3c-4d5e-6f70-8192-a3b4c5d6e7f8";
constexpr std::string_view kScopedUid = "8a1f2b3c_4d5e_6f70_8192_a3b4c5d6e7f8";
constexpr std::string_view kMirrorUid = "0123456789abcdef0123456789abcdef";

// Puts the ids in: @ is the container's, # the pod's, $ the pod's as systemd's driver writes it, %
// that of a static pod.
std::string filled(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '@') out += kId;
    if (c == '#') out += kUid;
    if (c == '$') out += kScopedUid;
    if (c == '%') out += kMirrorUid;
    if (std::string_view("@#$%").find(c) == std::string_view::npos) out += c;
  }
  return out;
}

void expect(CgroupKind kind, std::string_view path, std::string_view described) {
  SCOPED_TRACE(path);
  const auto identity = identify_cgroup(filled(path));
  EXPECT_EQ(static_cast<int>(identity.kind), static_cast<int>(kind));
  EXPECT_EQ(describe(identity), filled(described));
}

TEST(CgroupIdentity, Kubernetes) {
  expect(CgroupKind::kContainer, "/kubepods/burstable/pod#/@", "pod # burstable container @");
  expect(CgroupKind::kContainer, "/kubepods/pod#/@", "pod # guaranteed container @");
  expect(CgroupKind::kContainer,
         "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod$.slice/"
         "cri-containerd-@.scope",
         "pod # besteffort containerd container @");
  expect(CgroupKind::kContainer, "/kubepods.slice/kubepods-pod$.slice/crio-@.scope",
         "pod # guaranteed cri-o container @");
  expect(CgroupKind::kContainer, "/kubepods.slice/kubepods-pod$.slice/docker-@.scope",
         "pod # guaranteed docker container @");
  expect(CgroupKind::kContainer, "/kubepods/burstable/pod%/@", "pod % burstable container @");
  expect(CgroupKind::kContainer,
         "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/"
         "kubelet-kubepods-burstable-pod$.slice/cri-containerd-@.scope",
         "pod # burstable containerd container @");
  expect(CgroupKind::kContainer,
         "/system.slice/containerd.service/kubepods-burstable-pod$.slice:cri-containerd:@",
         "pod # burstable containerd container @");
  expect(CgroupKind::kPod, "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$.slice",
         "pod # burstable");
  expect(CgroupKind::kPod, "/kubepods/besteffort/pod#", "pod # besteffort");
  expect(CgroupKind::kGroup, "/kubepods.slice/kubepods-burstable.slice", "");
  expect(CgroupKind::kGroup, "/kubepods/burstable", "");
  // A container in a pod's systemd, and the monitor beside it.
  expect(CgroupKind::kInside, "/kubepods.slice/kubepods-pod$.slice/crio-@.scope/container",
         "pod # guaranteed cri-o container @");
  expect(CgroupKind::kInside, "/kubepods.slice/kubepods-pod$.slice/crio-conmon-@.scope",
         "pod # guaranteed");
  // A node of a cluster that runs in a container: the inner container counts.
  expect(CgroupKind::kContainer,
         "/docker/ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff/kubelet.slice/"
         "kubelet-kubepods.slice/kubelet-kubepods-pod$.slice/cri-containerd-@.scope",
         "pod # guaranteed containerd container @");
}

TEST(CgroupIdentity, Containers) {
  expect(CgroupKind::kContainer, "/docker/@", "docker container @");
  expect(CgroupKind::kContainer, "/system.slice/docker-@.scope", "docker container @");
  expect(CgroupKind::kContainer, "/machine.slice/libpod-@.scope", "podman container @");
  expect(CgroupKind::kContainer, "/libpod_parent/libpod-@", "podman container @");
  expect(CgroupKind::kContainer,
         "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-@.scope",
         "podman container @");
  expect(CgroupKind::kPod, "/machine.slice/machine-libpod_pod_@.slice", "pod @");
  expect(CgroupKind::kContainer, "/machine.slice/machine-libpod_pod_@.slice/libpod-@.scope/",
         "pod @ podman container @");
  expect(CgroupKind::kScope, "/machine.slice/libpod-conmon-@.scope", "scope libpod-conmon-@.scope");
  expect(CgroupKind::kContainer, "/default/@", "container @");
  expect(CgroupKind::kContainer, "/ecs/0badcafe/@", "container @");
  expect(CgroupKind::kContainer, "/lxc/web", "lxc container web");
  expect(CgroupKind::kInside, "/lxc/101/ns", "lxc container 101");
  expect(CgroupKind::kContainer, "/lxc.payload/web", "lxc container web");
  expect(CgroupKind::kContainer, "/lxc.payload.web", "lxc container web");
  expect(CgroupKind::kInside, "/docker/@/system.slice/nginx.service", "docker container @");
  // One digit short, or too long: no id.
  expect(CgroupKind::kOther, "/default/3f2a9b8c7d6e", "");
  expect(CgroupKind::kScope, "/system.slice/docker-3f2a.scope", "scope docker-3f2a.scope");
  expect(CgroupKind::kOther, "/default/@0", "");
}

TEST(CgroupIdentity, NspawnIsNamedByItsMachine) {
  const auto identity = identify_cgroup("/machine.slice/systemd-nspawn@web.service");
  EXPECT_EQ(describe(identity), "systemd-nspawn container web");
}

TEST(CgroupIdentity, BatchJobs) {
  expect(CgroupKind::kJobStep, "/slurm/uid_1000/job_4711/step_0", "slurm job 4711 step 0");
  expect(CgroupKind::kJobStep, "/slurm/uid_1000/job_4711/step_batch", "slurm job 4711 step batch");
  expect(CgroupKind::kInside, "/slurm/uid_1000/job_4711/step_0/task_0", "slurm job 4711 step 0");
  expect(CgroupKind::kJob, "/slurm_node07/uid_1000/job_4711", "slurm job 4711");
  expect(CgroupKind::kGroup, "/slurm/uid_1000", "");
  expect(CgroupKind::kJob, "/system.slice/slurmstepd.scope/job_4711", "slurm job 4711");
  expect(CgroupKind::kJobStep, "/system.slice/node07_slurmstepd.scope/job_4711/step_extern",
         "slurm job 4711 step extern");
  expect(CgroupKind::kInside, "/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0",
         "slurm job 4711 step 0");
  expect(CgroupKind::kGroup, "/system.slice/slurmstepd.scope", "");
  expect(CgroupKind::kJob, "/system.slice/slurmstepd.scope/s5K1KKYAYG5D00",
         "slurm job s5K1KKYAYG5D00");
  expect(CgroupKind::kInside,
         "/system.slice/node07_slurmstepd.scope/s5K1KKYAYG5D00/step_0/user/task_0",
         "slurm job s5K1KKYAYG5D00 step 0");
  expect(CgroupKind::kContainer, "/slurm/uid_1000/job_4711/step_0/@",
         "slurm job 4711 step 0 container @");
  expect(CgroupKind::kJob, "/pbs_jobs.service/jobid/123.server", "pbs job 123.server");
  expect(CgroupKind::kJob, "/pbs_jobs.service/jobs/123.server", "pbs job 123.server");
  expect(CgroupKind::kGroup, "/pbs_jobs.service/jobid", "");
  expect(CgroupKind::kOther, "/job_4711", "");  // not below Slurm: anybody's name
  expect(CgroupKind::kOther, "/slurm/uid_1000/job_", "");
  expect(CgroupKind::kOther, "/system.slice/s5K1KKYAYG5D00", "");
  expect(CgroupKind::kOther, "/slurm/uid_1000/s5K1KKYAYG5D00", "");
  for (const char* name : {"system", "s5K1KKYAYG5D0", "s5K1KKYAYG5D000", "s5K1KKYAYG5DOO"}) {
    const auto path = std::string("/system.slice/slurmstepd.scope/") + name;
    EXPECT_EQ(describe(identify_cgroup(path)), "") << path;
  }
}

TEST(CgroupIdentity, Systemd) {
  expect(CgroupKind::kService, "/system.slice/nginx.service", "service nginx.service");
  expect(CgroupKind::kInside, "/system.slice/nginx.service/worker", "");
  expect(CgroupKind::kScope, "/user.slice/user-1000.slice/session-3.scope",
         "scope session-3.scope");
  expect(CgroupKind::kScope, "/user.slice/user-1000.slice/user@1000.service/app.slice/app-x.scope",
         "scope app-x.scope");
  expect(CgroupKind::kScope, "/init.scope", "scope init.scope");
  expect(CgroupKind::kGroup, "/system.slice", "");
  expect(CgroupKind::kGroup, "/", "");
  expect(CgroupKind::kGroup, "", "");
  expect(CgroupKind::kOther, "/training", "");
  expect(CgroupKind::kOther, "//training//run_7", "");
}

void expect_name(std::string_view path, std::string_view name) {
  EXPECT_EQ(short_cgroup_name(filled(path)), name);
}

TEST(CgroupName, IdsAreCutAndRepeatedSlicesLeftOut) {
  expect_name("/docker/@", "/docker/3f2a9b8c7d6e");
  expect_name("/kubepods/burstable/pod#/@", "/kubepods/burstable/pod8a1f2b3c-4d5e/3f2a9b8c7d6e");
  expect_name(
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$.slice/"
      "cri-containerd-@.scope",
      "/kubepods-burstable-pod8a1f2b3c_4d5e.slice/cri-containerd-3f2a9b8c7d6e.scope");
  expect_name("/kubepods/burstable/pod%", "/kubepods/burstable/pod0123456789ab");
  EXPECT_EQ(short_cgroup_name("/system.slice/system-getty.slice/getty@tty1.service"),
            "/system-getty.slice/getty@tty1.service");
  expect_name("/a.slice/ab.slice/x.service", "/a.slice/ab.slice/x.service");
  expect_name("/slurm/uid_1000/job_4711/step_0", "/slurm/uid_1000/job_4711/step_0");
}

TEST(CgroupName, NothingThatAChannelsNameCannotHold) {
  expect_name("/system.slice/dev-disk-by\\x2dlabel.swap", "/system.slice/dev-disk-by-label.swap");
  expect_name("/my job,a={1}\"\xc3\xa4\\", "/my_job_a__1_____");
  expect_name("/a\n\x01 b", "/a___b");
}

TEST(CgroupName, LongOnesKeepTheirEndsAndDiffer) {
  const std::string common = "/" + std::string(300, 'x');
  const std::string one = short_cgroup_name(common + "/1");
  const std::string two = short_cgroup_name(common + "/2");
  EXPECT_NE(one, two);
  EXPECT_LE(one.size(), 120u);
  EXPECT_THAT(one, ::testing::ContainsRegex("x/1~[0-9a-f]{8}$"));
  // Containers whose ids share their first digits have one short name and two long ones.
  const std::string twin = filled("/docker/@").substr(0, 71) + "1";
  EXPECT_EQ(short_cgroup_name(twin), short_cgroup_name(filled("/docker/@")));
  EXPECT_NE(long_cgroup_name(twin), long_cgroup_name(filled("/docker/@")));
}

}  // namespace
}  // namespace reveal::procfs
