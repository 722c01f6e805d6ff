#include "study/selection.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "replay/damage.h"
#include "select/co_moments.h"
#include "select/selection_file.h"
#include "select/workload.h"
#include "study/levels.h"
#include "study/result_text.h"
#include "study/series.h"
#include "study/workloads.h"
#include "text/safe_text.h"
#include "text/streams.h"
#include "text/words.h"

namespace reveal::study {
namespace {

// A workload's name, its plan, and how many runs that was made of.
struct Pruned {
  std::string name;
  std::size_t runs = 0;
  select::SelectionPlan plan;
};

base::Result<Pruned> pruned(const Workload& workload, double threshold,
                            const std::set<std::string>& left_out,
                            std::vector<store::Damage>& damage) {
  std::vector<select::Correlations> runs;
  for (const auto& directory : workload.runs) {
    select::CoMoments moments;
    const auto run =
        read_run(directory, damage,
                 [&moments](std::uint64_t, std::vector<double> samples) { moments.add(samples); });
    if (!run) return base::pass(run);
    moments.settle();
    runs.push_back(select::without(select::correlations_of(moments, run->channels), left_out));
  }
  return Pruned{workload.name, runs.size(),
                select::plan(select::mean_correlations(runs), threshold)};
}

std::size_t varying(const select::SelectionPlan& plan) {
  std::size_t out = 0;
  for (const auto& cluster : plan.clusters) out += 1 + cluster.members.size();
  return out;
}

// Returns how many channels that vary in `plan` are among `kept`.
std::size_t count_in(const select::SelectionPlan& plan, const std::set<std::string>& kept) {
  std::size_t out = 0;
  for (const auto& cluster : plan.clusters) {
    out += kept.contains(cluster.representative) ? 1U : 0U;
    for (const auto& member : cluster.members) out += kept.contains(member.channel) ? 1U : 0U;
  }
  return out;
}

Table table_of(std::span<const Pruned> workloads, const Pruned& all) {
  Table out{.name = "workloads",
            .title = "Channels kept, by workload",
            .columns = {{"workload", "workload", ""},
                        {"runs", "runs", ""},
                        {"channels", "channels that vary", ""},
                        {"kept", "kept", ""},
                        {"kept_in_union", "kept in the union", ""}},
            .rows = {}};
  std::set<std::string> kept;
  for (const auto& cluster : all.plan.clusters) kept.insert(cluster.representative);
  const auto add = [&out, &kept](const Pruned& one, std::string name) {
    const auto number = [](std::size_t count) { return static_cast<double>(count); };
    out.rows.push_back({std::move(name), number(one.runs), number(varying(one.plan)),
                        number(one.plan.clusters.size()), number(count_in(one.plan, kept))});
  };
  for (const auto& one : workloads) add(one, one.name);
  add(all, all.name);
  return out;
}

std::string choice_text(const SelectionOrder& order, const std::set<std::string>& others) {
  if (!order.choice.is_any()) return {};
  return fmt::format("{} left out: not steady enough, or not known to differ.\n",
                     text::plural(others.size(), "channel"));
}

// Returns the channels that are not chosen.
base::Result<std::set<std::string>> not_chosen(const SelectionOrder& order) {
  if (!order.choice.is_any()) return std::set<std::string>();
  Result read;  // what the recordings lack is told when they are pruned
  const auto levels = levels_of({order.runs, {}}, read);
  if (!levels) return base::pass(levels);
  return left_out(*levels, order.choice);
}

}  // namespace

base::Result<void> write_selection(const SelectionOrder& order) {
  const auto workloads = workloads_of(order.runs);
  if (!workloads) return base::pass(workloads);
  const auto others = not_chosen(order);
  if (!others) return base::pass(others);
  std::vector<store::Damage> damage;
  std::vector<Pruned> parts;
  std::vector<select::SelectionPlan> plans;
  Pruned all{.name = "(union)", .plan = {}};
  for (const auto& workload : *workloads) {
    auto part = pruned(workload, order.threshold, *others, damage);
    if (!part) return base::pass(part);
    all.runs += part->runs;
    plans.push_back(part->plan);
    parts.push_back(std::move(*part));
  }
  for (const auto& line : replay::damage_lines(damage)) text::tell(line);
  all.plan = select::unite(plans);
  all.plan.left_out.assign(others->begin(), others->end());
  if (all.plan.clusters.empty()) {
    return base::fail(base::ErrorKind::kTooLittle,
                      others->empty() ? "no channel varies" : "no channel is steady and differs",
                      order.runs.front(),
                      others->empty() ? "record longer" : "give wider limits, or more runs");
  }
  if (auto saved = select::save(all.plan, order.output); !saved) return saved;
  return text::print(text::SafeText(
      to_text(table_of(parts, all)) +
      fmt::format("\n{}Pruned at |r| > {}; {} never changed. Wrote {}\n",
                  choice_text(order, *others), order.threshold,
                  text::plural(all.plan.constant.size(), "channel"), text::inert(order.output))));
}

}  // namespace reveal::study
