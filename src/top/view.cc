#include "top/view.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "attribute/claim.h"
#include "feature/feature.h"
#include "report/group_name.h"
#include "report/harm_sentences.h"
#include "top/plan.h"

namespace reveal::top {
namespace {

constexpr std::size_t kMaxStripWindows = 300;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

StripWindow strip_window(const live::JudgedWindow& window, std::size_t subsystem) {
  StripWindow out;
  out.judged = window.judged;
  out.marked = window.flagged && static_cast<std::size_t>(*window.flagged) == subsystem;
  const double largest = *std::max_element(window.shares.begin(), window.shares.end());
  if (!window.judged || !(largest > 0)) return out;
  out.height =
      std::clamp(kAlarmHeight * window.strength * window.shares[subsystem] / largest, 0.0, 1.0);
  return out;
}

// Returns how many windows there are up to the one with that id, or the next earlier one.
std::size_t count_until(const live::History& history, std::uint64_t id) {
  const auto after = std::upper_bound(history.windows.begin(), history.windows.end(), id,
                                      [](std::uint64_t value, const live::JudgedWindow& window) {
                                        return value < window.span.id.value();
                                      });
  return static_cast<std::size_t>(after - history.windows.begin());
}

void add_strips(const live::History& history, std::size_t count, View& out) {
  const std::size_t first = count - std::min(count, kMaxStripWindows);
  for (std::size_t s = 0; s < out.strips.size(); ++s) {
    out.strips[s].subsystem = static_cast<model::Subsystem>(s);
    for (std::size_t i = first; i < count; ++i) {
      out.strips[s].windows.push_back(strip_window(history.windows[i], s));
    }
  }
  for (std::size_t i = first; i < count; ++i) {
    out.window_ids.push_back(history.windows[i].span.id.value());
  }
  if (count >= 2) {
    const auto& a = history.windows[count - 2].span;
    const auto& b = history.windows[count - 1].span;
    // The clock that windows are timed by runs a little fast or slow.
    constexpr std::int64_t kRounded_ns = 10'000'000;
    const auto apart = static_cast<std::int64_t>(b.id.value() - a.id.value());
    const std::int64_t stride_ns = (b.begin_ns - a.begin_ns) / apart;
    out.stride_ns = (stride_ns + kRounded_ns / 2) / kRounded_ns * kRounded_ns;
  }
  if (history.channels == nullptr) return;
  for (std::size_t i = 0; i < history.channels->channel_count(); ++i) {
    const auto& metric = history.channels->metric(model::ChannelId(i));
    if (metric.kind == model::Kind::kStatic) continue;
    out.strips[static_cast<std::size_t>(metric.subsystem)].seen = true;
  }
}

report::Names names_of(const live::History& history) {
  static const std::vector<report::TimedNote> kNone;
  return {*history.channels, history.notes != nullptr ? *history.notes : kNone};
}

FindingView view_of(const attribute::Finding& finding, const live::History& history) {
  const auto& channels = *history.channels;
  FindingView out{finding.claim,    finding.subsystem(), finding.begin_ns(),
                  finding.end_ns(), finding.agreement,   attribute::seconds_of(finding.severity)};
  const auto is_news = [&](const attribute::Evidence& one) {
    return !finding.telling || one.key != finding.telling->key;
  };
  const auto first = std::find_if(finding.evidence.begin(), finding.evidence.end(), is_news);
  if (first != finding.evidence.end()) out.evidence = attribute::claim(channels, *first);
  if (const auto* advice = finding.advice()) out.remedy = advice->pattern->remedy;
  out.harm = report::harm_sentences(names_of(history), finding);
  return out;
}

// Returns the evidence with its names in this run; nothing if it does not have them.
std::optional<attribute::Evidence> evidence_of(const report::SavedEvidence& saved,
                                               const model::ChannelTable& channels) {
  const auto channel = channels.find_channel(saved.channel);
  const auto feature = feature::find_feature(saved.feature);
  if (!channel || !feature || !saved.observed || !saved.baseline_median) return std::nullopt;
  return attribute::Evidence{{*channel, *feature}, *saved.observed, *saved.baseline_median};
}

FindingView view_of(const report::SavedFinding& finding, const live::History& history) {
  const auto& channels = *history.channels;
  FindingView out{finding.claim,
                  finding.subsystem,
                  finding.begin_ns,
                  finding.end_ns,
                  static_cast<std::size_t>(finding.agreement),
                  finding.severity,
                  {},
                  finding.remedy,
                  finding.harm};
  for (const auto& saved : finding.evidence) {
    const auto evidence = evidence_of(saved, channels);
    if (!evidence) continue;
    out.evidence = attribute::claim(channels, *evidence);
    if (out.evidence != out.claim) break;
    out.evidence.clear();
  }
  return out;
}

// The latest that are known have begun, whatever the clock says: it may have been set back.
template <typename Found>
void add_findings(const std::vector<Found>& findings, const live::History& history, View& out) {
  for (const auto& finding : findings) {
    auto view = view_of(finding, history);
    const bool begun = !out.controls.at || view.begin_ns < out.shown_ns;
    if (begun) out.findings.push_back(std::move(view));
  }
  std::reverse(out.findings.begin(), out.findings.end());
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [&](const FindingView& a, const FindingView& b) {
                     const auto order = [&](const FindingView& it) {
                       return std::pair(it.end_ns >= out.shown_ns, it.severity);
                     };
                     return order(a) > order(b);
                   });
}

std::string name_of(const live::History& history, const work::JobRate& job, std::int64_t at_ns) {
  if (job.kind == work::JobKind::kGpus) return "the GPUs";
  if (job.job.empty() || history.channels == nullptr) return "the job";
  return report::group_name(names_of(history), job.job, at_ns);
}

// What the job that is slowest just then gets done.
std::string work_text(const live::History& history, std::int64_t at_ns) {
  constexpr std::int64_t kLately_ns = 5'000'000'000;
  std::string out;
  double slowest = std::numeric_limits<double>::infinity();
  for (const auto& job : history.jobs) {
    if (!job.is_known()) {
      if (out.empty()) out = "work rate not known: " + job.not_known;
      continue;
    }
    const auto lately = work::lost(job, at_ns - kLately_ns, at_ns);
    if (!lately || lately->mean_rate >= slowest) continue;
    slowest = lately->mean_rate;
    out = fmt::format("work: {} at {:.0f} % of usual", name_of(history, job, at_ns), slowest * 100);
  }
  return out;
}

// Returns the row of that window, or nothing if its features are gone.
std::optional<std::size_t> row_of(const feature::FeatureMatrix& matrix, std::uint64_t id) {
  for (std::size_t row = matrix.row_count(); row-- > 0;) {
    const auto found = matrix.window(row).id.value();
    if (found == id) return row;
    if (found < id) break;
  }
  return std::nullopt;
}

}  // namespace

void ViewMaker::add_channels(const live::History& history, std::uint64_t id, Size size, View& out) {
  if (too_small(size)) return;
  const auto plan = plan_of(size, shown_strips(out), out.findings.size(), detail_count(out));
  const std::size_t most = plan.channels;
  const auto row = row_of(*history.features, id);
  out.channels_gone = !row.has_value();
  if (!row) return;
  auto all = deviations_.at(*history.features, *row);
  out.channels_known = all.size();
  if (!out.controls.filter.empty()) {
    const auto wanted = lower(out.controls.filter);
    std::erase_if(all, [&](const live::ChannelState& state) {
      const auto names = attribute::channel_phrase(*history.channels, state.channel) + "\n" +
                         history.channels->name(state.channel);
      return lower(names).find(wanted) == std::string::npos;
    });
  }
  out.channels_found = all.size();
  out.first_channel = std::min(out.controls.scroll, all.size() - std::min(all.size(), most));
  const std::size_t end = std::min(all.size(), out.first_channel + most);
  for (std::size_t i = out.first_channel; i < end; ++i) {
    const auto& state = all[i];
    const auto key = history.features->column(state.column);
    out.channels.push_back(
        {attribute::channel_phrase(*history.channels, state.channel), state.now, state.usual,
         attribute::evidence_unit(*history.channels, key), state.deviation,
         live::recent_values(*history.features, state.column, *row, plan.curve)});
  }
}

View ViewMaker::make(const live::History& history, const std::string& doing,
                     const Controls& controls, Size size) {
  View out;
  out.host = history.host;
  out.doing = doing;
  out.clock = clock_;
  out.begin_ns = history.begin_ns;
  out.learning = history.learning;
  if (!controls.at) out.not_judged = history.not_judged;
  out.learned_ns = history.learned_ns;
  out.votes = history.votes;
  out.controls = controls;
  const std::size_t all = history.windows.size();
  const std::size_t count =
      controls.at ? std::max<std::size_t>(count_until(history, *controls.at), 1) : all;
  out.judged = static_cast<std::size_t>(
      std::count_if(history.windows.begin(), history.windows.end(),
                    [](const live::JudgedWindow& window) { return window.judged; }));
  add_strips(history, std::min(count, all), out);
  if (all == 0) return out;
  const auto& shown = history.windows[std::min(count, all) - 1];
  out.shown_ns = shown.span.end_ns;
  out.work = work_text(history, out.shown_ns);
  if (history.reported) {
    add_findings(*history.reported, history, out);
  } else {
    add_findings(history.findings, history, out);
  }
  add_channels(history, shown.span.id.value(), size, out);
  return out;
}

bool is_shown(const Strip& strip) {
  return strip.seen || strip.subsystem != model::Subsystem::kUnknown;
}

std::size_t shown_strips(const View& view) {
  return static_cast<std::size_t>(std::ranges::count_if(view.strips, is_shown));
}

std::size_t detail_count(const View& view) {
  if (view.findings.empty()) return 0;
  const auto& first = view.findings.front();
  return static_cast<std::size_t>(!first.evidence.empty()) +
         static_cast<std::size_t>(!first.remedy.empty()) + first.harm.size();
}

Extent extent_of(const live::History& history, const View& view) {
  Extent out;
  if (!history.windows.empty()) {
    out.oldest = history.windows.front().span.id.value();
    out.newest = history.windows.back().span.id.value();
  }
  out.channels = view.channels_found;
  out.page = view.channels.size();
  return out;
}

}  // namespace reveal::top
