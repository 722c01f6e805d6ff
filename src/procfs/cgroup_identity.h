// Who runs in a control group, read off its path: container runtimes, Kubernetes, batch schedulers
// and systemd each name their groups by a rule. Nothing is asked of them, so this works without
// their sockets, and a name that follows no known rule is "other", never a guess.
//
//   Kubernetes   /kubepods/burstable/pod<uid>/<id>                          cgroupfs driver
//                /kubepods.slice/kubepods-burstable.slice/
//                  kubepods-burstable-pod<uid>.slice/cri-containerd-<id>.scope   systemd driver
//   Docker       /docker/<id>, /system.slice/docker-<id>.scope
//   Podman       .../libpod-<id>.scope, pods .../libpod_pod_<id>.slice
//   LXC          /lxc/<name>, /lxc.payload/<name>, /lxc.payload.<name>
//   Slurm        /slurm/uid_1000/job_4711/step_0                            version 1
//                /system.slice/slurmstepd.scope/job_4711/step_0             version 2
//                /system.slice/slurmstepd.scope/s5K1KKYAYG5D00/step_0       Slurm 26.05 or later
//   OpenPBS      /pbs_jobs.service/jobid/<id>, /pbs_jobs.service/jobs/<id>
//   systemd      *.service, *.scope, *.slice
//
// Of containers in containers the innermost counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reveal::procfs {

enum class CgroupKind : std::uint8_t {
  kContainer,
  kJob,
  kJobStep,
  kPod,
  kOther,    // made by hand, or by somebody unknown
  kService,  // of systemd
  kScope,    // of systemd: sessions, transient units, monitors of containers
  kGroup,    // only holds others: a slice, /docker, a user's jobs
  kInside,   // a part of one of the above
};

struct CgroupIdentity {
  CgroupKind kind = CgroupKind::kOther;
  std::string scheduler;  // "slurm", "pbs"
  std::string job;        // "4711"; of Slurm from 26.05 on perhaps its SLUID, "s5K1KKYAYG5D00"
  std::string step;       // "0", "batch"
  std::string pod;        // its uid
  std::string qos;        // "guaranteed", "burstable", "besteffort"
  std::string runtime;    // "docker", "containerd", "cri-o", "podman", "lxc"; may be unknown: empty
  std::string container;  // its id, or its name where it has no id
  std::string unit;       // of systemd: "nginx.service"
};

// `path` is below the mount: "/docker/ab12...".
CgroupIdentity identify_cgroup(std::string_view path);

// Returns what an operator would call it: "pod 8a1f... burstable containerd container 3f2a...",
// "slurm job 4711 step 0", "service nginx.service"; empty for a group of groups.
std::string describe(const CgroupIdentity& identity);

// Returns a short name of the path that stays readable: long ids are cut to their first digits,
// slices whose name the next one repeats are left out, and so is what would not do in a channel's
// name. Two paths may have the same short name; long_cgroup_name() tells them apart.
std::string short_cgroup_name(std::string_view path);
std::string long_cgroup_name(std::string_view path);

}  // namespace reveal::procfs
