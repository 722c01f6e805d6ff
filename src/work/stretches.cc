#include "work/stretches.h"

#include <algorithm>
#include <cmath>

namespace reveal::work {
namespace {

constexpr std::size_t kFewestCore = 2;  // blocks that are as low as a slowdown is in its mean

// One pause, however it lies on the blocks, leaves full blocks at nothing and a part at each end.
bool is_standstill(const JobRate& job, const Stretch& stretch) {
  for (std::size_t i = stretch.first + 1; i < stretch.last; ++i) {
    if (job.rate[i] >= kStandstill) return false;
  }
  return true;
}

Stretch measured(const JobRate& job, std::size_t first, std::size_t last) {
  Stretch out{first, last};
  for (std::size_t i = first; i <= last; ++i) {
    if (std::isnan(job.rate[i])) continue;
    out.mean += job.rate[i];
    ++out.known;
  }
  out.mean /= static_cast<double>(std::max<std::size_t>(out.known, 1));
  out.stands_still = is_standstill(job, out);
  return out;
}

// A stretch goes on for as long as blocks are nearer to its own depth than to the usual.
Stretch extended(const JobRate& job, const Stretch& core) {
  const double limit = (1 + core.mean) / 2;
  Stretch out = core;
  while (out.first > 0 && job.rate[out.first - 1] < limit) --out.first;
  while (out.last + 1 < job.rate.size() && job.rate[out.last + 1] < limit) ++out.last;
  return measured(job, out.first, out.last);
}

// Stretches in order, those joined that touch.
std::vector<Stretch> joined(const JobRate& job, const std::vector<Stretch>& stretches) {
  std::vector<Stretch> out;
  for (const auto& one : stretches) {
    if (!out.empty() && one.first <= out.back().last + 1) {
      out.back() = measured(job, out.back().first, std::max(out.back().last, one.last));
    } else {
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace

std::vector<Stretch> below(const JobRate& job, double limit) {
  std::vector<Stretch> out;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t above = 0;
  bool is_open = false;
  for (std::size_t i = 0; i < job.rate.size(); ++i) {
    if (std::isnan(job.rate[i])) continue;
    if (job.rate[i] < limit) {
      if (!is_open) first = i;
      is_open = true;
      last = i;
      above = 0;
    } else if (is_open && ++above > 1) {
      out.push_back(measured(job, first, last));
      is_open = false;
    }
  }
  if (is_open) out.push_back(measured(job, first, last));
  return out;
}

std::vector<Stretch> lower_by(const JobRate& job, double fall) {
  std::vector<Stretch> found;
  for (const auto& core : below(job, 1 - fall)) {
    if (core.known >= kFewestCore) found.push_back(extended(job, core));
  }
  return joined(job, found);
}

std::vector<Stretch> without_standstills(const JobRate& job, const Stretch& stretch) {
  std::vector<Stretch> out;
  std::size_t from = stretch.first;
  const auto add = [&](std::size_t until) {  // blocks from .. until-1
    if (until > from) out.push_back(measured(job, from, until - 1));
  };
  for (std::size_t i = stretch.first; i <= stretch.last;) {
    std::size_t k = i;
    while (k <= stretch.last && job.rate[k] < kStandstill) ++k;
    if (k - i >= kFewestSlowBlocks) {
      add(i);
      from = k;
    }
    i = std::max(k, i + 1);
  }
  add(stretch.last + 1);
  return out;
}

}  // namespace reveal::work
