#include "procfs/cgroup_identity.h"

#include <algorithm>

#include <fmt/format.h>

#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

constexpr std::size_t kContainerIdSize = 64;
constexpr std::size_t kHexUidSize = 32;   // of a static pod: an MD5 sum
constexpr std::size_t kDashUidSize = 36;  // 8-4-4-4-12
constexpr std::size_t kSluidSize = 14;    // "s" and 64 bits, five a digit (Slurm's sluid.c)

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool is_container_id(std::string_view word) {
  return word.size() == kContainerIdSize && std::all_of(word.begin(), word.end(), is_hex);
}

bool is_dash(char c) {
  return c == '-' || c == '_';  // systemd's driver writes "_", for "-" parts its slices
}

bool is_dashed_uid(std::string_view word) {
  if (word.size() != kDashUidSize) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool dash_here = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash_here ? !is_dash(word[i]) : !is_hex(word[i])) return false;
  }
  return true;
}

bool is_pod_uid(std::string_view word) {
  return is_dashed_uid(word) ||
         (word.size() == kHexUidSize && std::all_of(word.begin(), word.end(), is_hex));
}

// Slurm's name of a job from 26.05 on, unless CgroupJobIdPaths is set: "s5K1KKYAYG5D00".
bool is_sluid(std::string_view word) {
  static constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return word.size() == kSluidSize && word.front() == 's' &&
         word.find_first_not_of(kDigits, 1) == std::string_view::npos;
}

bool strip_suffix(std::string_view& word, std::string_view suffix) {
  if (!word.ends_with(suffix)) return false;
  word.remove_suffix(suffix.size());
  return true;
}

bool strip_prefix(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

std::string_view runtime_of_prefix(std::string_view prefix) {
  if (prefix == "cri-containerd" || prefix == "nerdctl") return "containerd";
  if (prefix == "crio") return "cri-o";
  if (prefix == "libpod") return "podman";
  return prefix;
}

// Takes a path's components in turn and keeps what they say of the group.
class Walk {
 public:
  void step(std::string_view component) {
    identity_.kind = kind_of(component);
    parent_ = component;
  }
  CgroupIdentity take() { return std::move(identity_); }

 private:
  CgroupKind kind_of(std::string_view name) {
    if (is_pod(name)) return CgroupKind::kPod;
    if (is_container(name)) return CgroupKind::kContainer;
    if (is_slurm_part(name)) return slurm_kind_;
    if (is_pbs_part(name)) return pbs_kind_;
    const bool inside = is_part_of_work();
    if (is_holder(name)) return inside ? CgroupKind::kInside : CgroupKind::kGroup;
    if (is_unit(name)) return inside ? CgroupKind::kInside : unit_kind_;
    return inside || !identity_.unit.empty() ? CgroupKind::kInside : CgroupKind::kOther;
  }

  bool is_part_of_work() const {
    return !identity_.container.empty() || !identity_.job.empty() || !identity_.pod.empty();
  }

  // "kubepods-burstable.slice", "kubelet-kubepods-burstable-pod<uid>.slice", "pod<uid>"
  bool is_pod(std::string_view name) {
    strip_suffix(name, ".slice");
    if (is_podman_pod(name)) return true;
    if (!in_kubepods_ && name.find("kubepods") == std::string_view::npos) return false;
    const auto at = name.rfind("pod");
    const bool starts_word = at != std::string_view::npos && (at == 0 || name[at - 1] == '-');
    if (!starts_word || !is_pod_uid(name.substr(at + 3))) return false;
    enter_kubepods(name);
    set_pod(name.substr(at + 3));
    return true;
  }

  bool is_podman_pod(std::string_view name) {
    const auto at = name.find("libpod_pod_");
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + std::string_view("libpod_pod_").size());
    if (!is_container_id(name)) return false;
    set_pod(name);
    identity_.qos.clear();
    return true;
  }

  void set_pod(std::string_view uid) {
    identity_.pod = uid;
    std::replace(identity_.pod.begin(), identity_.pod.end(), '_', '-');
    identity_.container.clear();
    identity_.runtime.clear();
  }

  void enter_kubepods(std::string_view name) {
    in_kubepods_ = true;
    if (identity_.qos.empty()) identity_.qos = "guaranteed";
    if (name.find("burstable") != std::string_view::npos) identity_.qos = "burstable";
    if (name.find("besteffort") != std::string_view::npos) identity_.qos = "besteffort";
  }

  bool is_container(std::string_view name) {
    return is_plain_container(name) || is_scoped_container(name) || is_colon_container(name) ||
           is_lxc_container(name) || is_nspawn_container(name);
  }

  bool is_plain_container(std::string_view name) {
    if (!is_container_id(name)) return false;
    return set_container(parent_ == "docker" ? "docker" : "", name);
  }

  // "docker-<id>.scope", "cri-containerd-<id>.scope", "libpod-<id>"; not "crio-conmon-<id>.scope",
  // which only watches over one.
  bool is_scoped_container(std::string_view name) {
    const bool scope = strip_suffix(name, ".scope");
    if (name.size() <= kContainerIdSize + 1) return false;
    const auto id = name.substr(name.size() - kContainerIdSize);
    const auto prefix = name.substr(0, name.size() - kContainerIdSize - 1);
    if (name[prefix.size()] != '-' || !is_container_id(id)) return false;
    if (prefix.ends_with("conmon") || (!scope && prefix != "libpod")) return false;
    return set_container(runtime_of_prefix(prefix), id);
  }

  // containerd with the systemd driver switched on in the kubelet only: "<slice>:<prefix>:<id>"
  bool is_colon_container(std::string_view name) {
    const auto last = name.rfind(':');
    if (last == std::string_view::npos || !is_container_id(name.substr(last + 1))) return false;
    const auto first = name.find(':');
    if (first == last) return false;
    is_pod(name.substr(0, first));
    return set_container(runtime_of_prefix(name.substr(first + 1, last - first - 1)),
                         name.substr(last + 1));
  }

  bool is_lxc_container(std::string_view name) {
    if (parent_ == "lxc" || parent_ == "lxc.payload") return set_container("lxc", name);
    if (!strip_prefix(name, "lxc.payload.") || name.empty()) return false;
    return set_container("lxc", name);
  }

  bool is_nspawn_container(std::string_view name) {
    if (!strip_suffix(name, ".service") || !strip_prefix(name, "systemd-nspawn@")) return false;
    return set_container("systemd-nspawn", name);
  }

  bool set_container(std::string_view runtime, std::string_view id) {
    identity_.runtime = runtime;
    identity_.container = id;
    return true;
  }

  bool is_slurm_part(std::string_view name) {
    if (name == "slurm" || (parent_.empty() && name.starts_with("slurm_"))) {
      return enter_slurm(CgroupKind::kGroup);
    }
    if (name == "slurmstepd.scope" || name.ends_with("_slurmstepd.scope")) {
      return enter_slurm(CgroupKind::kGroup);
    }
    if (!in_slurm_) return false;
    if (name.starts_with("uid_")) return enter_slurm(CgroupKind::kGroup);
    const bool unnumbered = parent_.ends_with("slurmstepd.scope") && is_sluid(name);
    if (unnumbered || (strip_prefix(name, "job_") && parse_u64(name))) {
      identity_.scheduler = "slurm";
      identity_.job = name;
      return enter_slurm(CgroupKind::kJob);
    }
    if (identity_.job.empty() || !strip_prefix(name, "step_") || name.empty()) return false;
    identity_.step = name;
    return enter_slurm(CgroupKind::kJobStep);
  }

  bool enter_slurm(CgroupKind kind) {
    in_slurm_ = true;
    slurm_kind_ = kind;
    return true;
  }

  bool is_pbs_part(std::string_view name) {
    pbs_kind_ = CgroupKind::kGroup;
    if (name == "pbs_jobs.service") return in_pbs_ = true;
    if (!in_pbs_) return false;
    if (name == "jobid" || name == "jobs") return true;
    if (parent_ != "jobid" && parent_ != "jobs") return false;
    pbs_kind_ = CgroupKind::kJob;
    identity_.scheduler = "pbs";
    identity_.job = name;
    return true;
  }

  // A group that only holds others.
  bool is_holder(std::string_view name) {
    static constexpr std::string_view kHolders[] = {"docker", "lxc",           "lxc.payload",
                                                    "ecs",    "libpod_parent", "lxc.monitor"};
    const bool slice = strip_suffix(name, ".slice");
    const bool kubepods = name == "kubepods" || name.starts_with("kubepods-") ||
                          name.find("-kubepods") != std::string_view::npos;
    const bool qos = in_kubepods_ && (name == "burstable" || name == "besteffort");
    if (kubepods || qos) enter_kubepods(name);
    return slice || kubepods || qos ||
           std::find(std::begin(kHolders), std::end(kHolders), name) != std::end(kHolders);
  }

  bool is_unit(std::string_view name) {
    if (name.ends_with(".service")) unit_kind_ = CgroupKind::kService;
    if (name.ends_with(".scope")) unit_kind_ = CgroupKind::kScope;
    if (!name.ends_with(".service") && !name.ends_with(".scope")) return false;
    identity_.unit = name;
    return true;
  }

  CgroupIdentity identity_;
  std::string_view parent_;
  bool in_kubepods_ = false;
  bool in_slurm_ = false;
  bool in_pbs_ = false;
  CgroupKind slurm_kind_ = CgroupKind::kGroup;
  CgroupKind pbs_kind_ = CgroupKind::kGroup;
  CgroupKind unit_kind_ = CgroupKind::kService;
};

template <typename Visit>
void for_components(std::string_view path, Visit&& visit) {
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (slash != 0) visit(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
}

void append(std::string& text, std::string_view word, std::string_view name) {
  if (name.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
  if (!word.empty()) text += ' ';
  text += name;
}

// Returns whether systemd puts the unit `next` into the slice `name`, so that it repeats its name.
bool is_repeated(std::string_view name, std::string_view next) {
  return strip_suffix(name, ".slice") && next.ends_with(".slice") && next.starts_with(name) &&
         next.substr(name.size()).starts_with('-');
}

bool is_allowed(char c) {
  static constexpr std::string_view kSpecial = ",={}\"\\";
  return c > ' ' && c < 0x7f && kSpecial.find(c) == std::string_view::npos;
}

// What has no place in a channel's name becomes "_".
void append_clean(std::string& out, std::string_view text) {
  for (const char c : text) out += is_allowed(c) || c == '/' ? c : '_';
}

// Systemd writes a "-" that parts no slices as "\\x2d".
std::string without_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool escaped = strip_prefix(text, "\\x2d");
    out += escaped ? '-' : text.front();
    if (!escaped) text.remove_prefix(1);
  }
  return out;
}

// Returns how long the id is that `text` begins with, and sets how much of it is kept; 0 for none.
std::size_t id_size(std::string_view text, std::size_t& kept) {
  if (is_dashed_uid(text.substr(0, kDashUidSize))) {
    kept = 13;  // "8a1f2b3c-4d5e"
    return kDashUidSize;
  }
  kept = 12;
  const auto run = std::find_if_not(text.begin(), text.end(), is_hex) - text.begin();
  return run >= static_cast<std::ptrdiff_t>(kHexUidSize) ? static_cast<std::size_t>(run) : 0;
}

// Cuts ids to their first digits.
std::string shortened(std::string_view component) {
  const std::string plain = without_escapes(component);
  std::string out;
  for (std::string_view rest = plain; !rest.empty();) {
    if (strip_prefix(rest, "pod")) out += "pod";  // whose last letter is a hex digit
    std::size_t kept = 0;
    const std::size_t size = id_size(rest, kept);
    append_clean(out, rest.substr(0, size == 0 ? 1 : kept));
    rest.remove_prefix(size == 0 ? std::min<std::size_t>(1, rest.size()) : size);
  }
  return out;
}

constexpr std::size_t kLongestName = 120;

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

CgroupIdentity identify_cgroup(std::string_view path) {
  Walk walk;
  for_components(path, [&](std::string_view component) { walk.step(component); });
  auto out = walk.take();
  if (path.find_first_not_of('/') == std::string_view::npos) out.kind = CgroupKind::kGroup;
  return out;
}

std::string describe(const CgroupIdentity& identity) {
  std::string out;
  if (!identity.job.empty()) append(out, identity.scheduler + " job", identity.job);
  append(out, "step", identity.step);
  append(out, "pod", identity.pod);
  if (!identity.pod.empty()) append(out, "", identity.qos);
  if (!identity.container.empty()) append(out, "", identity.runtime);
  append(out, "container", identity.container);
  if (identity.kind == CgroupKind::kService) append(out, "service", identity.unit);
  if (identity.kind == CgroupKind::kScope) append(out, "scope", identity.unit);
  return out;
}

std::string short_cgroup_name(std::string_view path) {
  std::string out;
  std::string_view before;
  const auto add = [&](std::string_view component) {
    if (component.empty()) return;
    out += '/';
    out += shortened(component);
  };
  for_components(path, [&](std::string_view component) {
    if (!is_repeated(before, component)) add(before);
    before = component;
  });
  add(before);
  return out.size() <= kLongestName ? out : long_cgroup_name(path);
}

std::string long_cgroup_name(std::string_view path) {
  std::string out;
  append_clean(out, without_escapes(path));
  const std::size_t kept = kLongestName - 9;  // "~" and eight digits
  if (out.size() > kept) out.erase(0, out.size() - kept);
  return out + fmt::format("~{:08x}", fnv1a(path));
}

}  // namespace reveal::procfs
