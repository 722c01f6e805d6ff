// What a Kubernetes pod belongs to, as far as names on its node tell. A control group has a pod's
// uid alone; the kubelet keeps its logs in /var/log/pods/NAMESPACE_NAME_UID, and controllers whose
// pods have places of their own (StatefulSet, Kubeflow's jobs, Volcano, LeaderWorkerSet) number
// them: "trainer-worker-3". Pods of DaemonSets, Deployments and plain Jobs end with five random
// letters: by these nobody could tell a job from what runs on every node, so they have no owner
// here.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace reveal::publish {

// Where the kubelet of a node keeps logs.
inline constexpr std::string_view kPodLogs = "/var/log/pods";

// Returns the name without its number, and without the part that Kubeflow's pods have in their job:
// "trainer" of "trainer-worker-3", "db" of "db-0"; empty if it has no number.
std::string owner_of_pod(std::string_view name);

// Returns NAMESPACE/OWNER of the pods that have one, by uid; none if the folder is not there.
std::map<std::string, std::string> pod_owners(const std::filesystem::path& logs);

}  // namespace reveal::publish
