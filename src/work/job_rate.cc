#include "work/job_rate.h"

#include <algorithm>
#include <cmath>

namespace reveal::work {

std::string_view to_string(JobKind kind) {
  switch (kind) {
    case JobKind::kGroup:
      return "group";
    case JobKind::kGpus:
      return "gpus";
    case JobKind::kHost:
      break;
  }
  return "host";
}

double Noise::of_mean(double blocks) const {
  return std::sqrt(block * block / std::max(blocks, 1e-9) + bias * bias);
}

std::optional<Loss> lost(const JobRate& job, std::int64_t begin_ns, std::int64_t end_ns) {
  double seconds = 0;
  double blocks = 0;
  double done_s = 0;
  for (std::size_t i = 0; i < job.rate.size(); ++i) {
    const auto from = std::max(begin_ns, job.begin_ns[i]);
    const auto until = std::min(end_ns, job.end_ns[i]);
    if (until <= from || std::isnan(job.rate[i])) continue;
    const double part_s = static_cast<double>(until - from) / 1e9;
    seconds += part_s;
    blocks +=
        static_cast<double>(until - from) / static_cast<double>(job.end_ns[i] - job.begin_ns[i]);
    done_s += part_s * job.rate[i];
  }
  if (seconds <= 0) return std::nullopt;
  Loss out;
  out.known_s = seconds;
  out.mean_rate = done_s / seconds;
  out.mean_error = job.error_of_mean(blocks);
  out.lost_s = seconds - done_s;
  out.lost_error_s = out.mean_error * seconds;
  return out;
}

}  // namespace reveal::work
