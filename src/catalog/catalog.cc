#include "catalog/catalog.h"

#include <algorithm>
#include <chrono>

#include "collect/metric_status.h"
#include "collect/sampler.h"
#include "derive/deriver.h"

namespace reveal::catalog {
namespace {

// A derived metric is there when one frame of this host is enough to make its channels.
void append_derived(const procfs::HostRoot& root, const collect::PollPlan& poll_plan,
                    std::vector<Row>& rows) {
  derive::Deriver deriver;
  if (auto sampler = collect::Sampler::open({.root = root, .poll_plan = poll_plan})) {
    if (const auto frame = (*sampler)->next(); frame && *frame != nullptr) {
      deriver.step((*sampler)->channels(), **frame);
    }
  }
  const auto& channels = deriver.channels();
  for (const auto& derived : derive::derived_metrics()) {
    Row row{"derived", derived.descriptor, {}, {}, {}};
    for (std::size_t i = 0; i < channels.channel_count(); ++i) {
      const model::ChannelId id(i);
      if (channels.metric(id).name != derived.descriptor.name) continue;
      row.instances.emplace_back(channels.channel(id).instance);
    }
    if (!row.available()) row.reason = "an input of it is missing";
    rows.push_back(std::move(row));
  }
}

}  // namespace

base::Result<std::vector<Row>> rows_of(const procfs::HostRoot& root,
                                       const collect::PollPlan& poll_plan) {
  std::vector<Row> rows;
  auto statuses = collect::survey(root, poll_plan);
  if (!statuses) return base::pass(statuses);
  for (auto& status : *statuses) {
    rows.push_back({status.collector, status.metric, std::move(status.instances),
                    std::move(status.reason), std::move(status.remedy)});
  }
  append_derived(root, poll_plan, rows);
  return rows;
}

std::vector<Remedy> remedies(const std::vector<Row>& rows) {
  std::vector<Remedy> out;
  for (const auto& row : rows) {
    if (row.available() || row.collector == "derived") continue;
    auto it = std::find_if(out.begin(), out.end(),
                           [&](const Remedy& remedy) { return remedy.change == row.remedy; });
    if (it == out.end()) it = out.insert(out.end(), {row.remedy, {}, {}});
    it->rows.push_back(&row);
    if (std::find(it->reasons.begin(), it->reasons.end(), row.reason) == it->reasons.end()) {
      it->reasons.push_back(row.reason);
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Remedy& a, const Remedy& b) {
    if (a.change.empty() != b.change.empty()) return b.change.empty();
    return a.rows.size() > b.rows.size();
  });
  return out;
}

}  // namespace reveal::catalog
