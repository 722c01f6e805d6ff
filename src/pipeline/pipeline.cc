#include "pipeline/pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attribute/companions.h"
#include "detect/design.h"
#include "detect/elapsed.h"
#include "pipeline/analysis.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::pipeline {
namespace {

template <typename Text>
std::vector<Text> names(const std::vector<feature::FeatureId>& features) {
  std::vector<Text> out;
  out.reserve(features.size());
  for (const auto id : features) out.emplace_back(feature::descriptor(id).name);
  return out;
}

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

// Returns how a run by itself is cut that is judged as a whole. If ticks are so far apart that
// windows hold ten of them, such a run may be of a minute or two: windows every five would be too
// few for a disturbance not to become usual.
window::WindowSpec for_analysis(const window::WindowChoice& choice, window::WindowSpec spec) {
  constexpr std::int64_t kStrideTicks = 2;
  const bool usual = window::WindowSpec{.interval_ns = spec.interval_ns}.check().has_value();
  if (!choice.length && !choice.stride && !usual) spec.stride_ns = kStrideTicks * spec.interval_ns;
  return spec;
}

}  // namespace

Pipeline::Pipeline(PipelineConfig config)
    : config_(std::move(config)),
      extractor_(deriver_.channels(), config_.features, &deriver_.ratios()),
      matrix_(config_.precision),
      ticks_(attribute::tells_ticks) {}

base::Result<void> Pipeline::begin(const model::RunFacts& facts) {
  facts_ = facts;
  if (config_.saved) {
    const auto& windows = config_.saved->windows;
    spec_ = {facts.interval_ns, windows.length_ns, windows.stride_ns};
    if (auto fits = check_saved(); !fits) return fits;
  } else {
    const auto spec = config_.windows.at(facts.interval_ns);
    if (!spec) return base::pass(spec);
    spec_ = config_.whole_run ? for_analysis(config_.windows, *spec) : *spec;
  }
  if (auto checked = spec_.check(); !checked) return checked;
  cutter_.emplace(spec_);
  return {};
}

base::Result<void> Pipeline::check_saved() const {
  if (config_.saved->windows == spec_) return {};
  const auto words = [](const window::WindowSpec& spec) {
    return fmt::format("windows of {} every {} at ticks of {}", text::span_text(spec.length_ns),
                       text::span_text(spec.stride_ns), text::span_text(spec.interval_ns));
  };
  return base::fail(
      base::ErrorKind::kUsage,
      fmt::format("the baseline has {}, this run {}", words(config_.saved->windows), words(spec_)),
      {}, "use a baseline with the same interval, window and stride");
}

base::Result<void> Pipeline::write(const model::ChannelTable& channels, const model::Frame& frame) {
  if (has_part_) return {};
  note_gap(frame);
  keep_notes(frame);
  raw_channels_ = frame.bits.size();
  if (config_.fingerprint || config_.saved) fingerprint_.add(frame);
  const auto row = deriver_.step(channels, frame);
  if (config_.redundancy) movement_.add(row);
  keep_latest(row);
  if (config_.work_rate) {
    work_.add(deriver_.channels(), frame.sequence, frame.wall_ns, facts_.interval_ns, row);
  }
  ticks_.add(deriver_.channels(), frame.sequence, frame.wall_ns, facts_.interval_ns, row);
  cutter_->push(
      frame.sequence, frame.wall_ns, row,
      [this](const window::WindowView& view) { extractor_.append(view, matrix_); },
      [this](std::uint64_t missing) { return deriver_.means_before(missing); });
  return judge_if_full();
}

base::Result<void> Pipeline::judge_if_full() {
  // A part is not shorter, however many channels there are: too little would be usual in it.
  constexpr std::size_t kLeastRows = 800;
  constexpr std::size_t kBetween = 64;
  const std::size_t rows = matrix_.row_count();
  if (config_.most_values == 0 || config_.selection == SelectionMode::kPrune) return {};
  if (rows < std::max(kLeastRows, check_full_at_)) return {};
  check_full_at_ = rows + kBetween;
  if (value_count() < config_.most_values) return {};
  if (!first_window_) first_window_ = matrix_.window(0).id;
  // The last fifth is the next part's, too, and half of that is its own.
  const auto own_end = matrix_.window(rows - rows / 10).id;
  if (config_.only_part_of && config_.only_part_of->value() < own_end.value()) {
    has_part_ = true;
    return {};
  }
  if (!config_.only_part_of) {
    if (auto done = judge_part(own_end.value()); !done) return done;
  }
  keep_last(rows / 5);
  check_full_at_ = 0;
  return {};
}

// Judges the windows that are there. Those from `own_end` on are the next part's.
base::Result<void> Pipeline::judge_part(std::uint64_t own_end) {
  report::Report part;
  part.configuration.window = spec_;
  part.length_ns = static_cast<std::int64_t>(matrix_.row_count()) * spec_.stride_ns;
  for (std::size_t row = 0; row < matrix_.row_count(); ++row) {
    part.windows.push_back(matrix_.window(row));
  }
  if (auto done = judge_rows(true, part); !done) return done;
  parts_.add(std::move(part), {own_from_, own_end});
  own_from_ = own_end;
  return {};
}

// Adds to `out` what is found in the windows that are there.
base::Result<void> Pipeline::judge_rows(bool is_part, report::Report& out) const {
  const auto& channels = deriver_.channels();
  const std::size_t before =
      first_window_ ? matrix_.window(0).id.value() - first_window_->value() : 0;
  if (config_.work_rate) out.jobs = work_.estimate();
  return detect_and_attribute({matrix_, channels, processes_, ticks_, is_part, before},
                              selected_channels(config_, plan_, channels), config_, out);
}

// A gap may have several reasons; the worst known one is charged with all of its ticks. What was
// before the first frame was downsampled, unless that frame says otherwise.
void Pipeline::note_gap(const model::Frame& frame) {
  if (frames_ == 0) {
    begin_ns_ = frame.wall_ns;
    last_mono_ns_ = frame.mono_ns;
  }
  const std::uint64_t expected = frames_ == 0 ? 0 : last_sequence_ + 1;
  if (frame.sequence > expected) {
    const std::uint64_t ticks = frame.sequence - expected;
    if ((frame.gap & model::kGapDamage) != 0) {
      missed_.damage += ticks;
    } else if ((frame.gap & model::kGapStorage) != 0) {
      missed_.storage += ticks;
    } else if (frames_ > 0) {
      missed_.late += ticks;
    }
  }
  last_sequence_ = frame.sequence;
  end_ns_ = frame.wall_ns;
  length_ns_ += std::max<std::int64_t>(frame.mono_ns - last_mono_ns_, 0);
  last_mono_ns_ = frame.mono_ns;
  ++frames_;
}

// What processes used is told by findings; a list of it would leave no room for other notes.
void Pipeline::keep_notes(const model::Frame& frame) {
  processes_.add(frame.wall_ns, frame.mono_ns, frame.notes);
  for (const model::Note& note : frame.notes) {
    if (model::is_process_use(note)) continue;
    if (notes_.size() < report::kMaxNotes) {
      notes_.push_back({frame.wall_ns, note});
    } else {
      ++notes_left_out_;
    }
  }
}

void Pipeline::keep_latest(std::span<const double> row) {
  latest_.resize(row.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < row.size(); ++i) {
    latest_[i] = std::isfinite(row[i]) ? row[i] : latest_[i];
  }
}

void Pipeline::keep_last(std::size_t windows) {
  const std::int64_t block_ns = std::max<std::int64_t>(1'000'000'000, facts_.interval_ns);
  work_.keep_last(windows *
                  static_cast<std::size_t>(std::max<std::int64_t>(spec_.stride_ns / block_ns, 1)));
  if (matrix_.row_count() <= windows) return;
  matrix_.drop_first(matrix_.row_count() - windows);
  if (windows == 0) return;
  processes_.forget_before(matrix_.window(0).begin_ns);
  ticks_.drop_before(matrix_.window(0).first_sequence);
}

void Pipeline::plan_selection() {
  movement_.settle();
  plan_ = select::plan(movement_, deriver_.channels(), config_.correlation);
}

base::Result<void> Pipeline::check_length() const {
  const auto needed = config_.saved ? 1 : static_cast<std::size_t>(detect::kMinWindows);
  if (matrix_.row_count() >= needed) return {};
  const std::int64_t enough = spec_.length_ns +
                              static_cast<std::int64_t>(needed - 1) * spec_.stride_ns +
                              facts_.interval_ns;
  return base::fail(
      base::ErrorKind::kTooLittle,
      fmt::format(
          "{} of recording gives {} windows of {}, too few to learn the usual values; {} are "
          "needed, that is {}",
          text::span_text(length_ns_), matrix_.row_count(), text::span_text(spec_.length_ns),
          needed, text::span_text(enough)),
      {}, "record longer, or make window and stride shorter");
}

std::vector<report::StaticFact> Pipeline::static_facts() const {
  const auto& channels = deriver_.channels();
  std::vector<report::StaticFact> out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    const auto& metric = channels.metric(id);
    if (metric.kind != model::Kind::kStatic) continue;
    if (i >= latest_.size() || std::isnan(latest_[i])) continue;
    out.push_back({channels.name(id), std::string(metric.unit), latest_[i]});
  }
  return out;
}

report::Report Pipeline::describe() const {
  report::Report out;
  out.facts = facts_;
  const settings::AnalysisSettings& shared = config_;
  out.configuration = report::Configuration{shared, spec_};
  out.configuration.windows = {window::Length{spec_.length_ns}, window::Length{spec_.stride_ns}};
  out.configuration.compared_with = to_string(config_.baseline);
  out.configuration.channels = to_string(config_.selection);
  out.configuration.feature_names = names<std::string>(config_.features.dynamic);
  out.begin_ns = begin_ns_;
  out.end_ns = end_ns_;
  out.length_ns = length_ns_;
  out.frames = frames_;
  out.missed = missed_;
  for (std::size_t row = 0; row < matrix_.row_count(); ++row) {
    out.windows.push_back(matrix_.window(row));
  }
  out.windows_skipped = cutter_->skipped();
  out.channel_table = std::make_shared<const model::ChannelTable>(deriver_.channels().clone());
  out.channels.recorded = raw_channels_;
  out.channels.derived = deriver_.channels().channel_count();
  out.static_facts = static_facts();
  out.notes = notes_;
  out.notes_left_out = notes_left_out_;
  return out;
}

void Pipeline::describe_plan(report::Report& out) const {
  out.moves_with = representatives(plan_, deriver_.channels());
  out.channels.constant = plan_.constant.size();
  for (const auto& cluster : plan_.clusters) out.channels.redundant += cluster.members.size();
}

base::Result<report::Report> Pipeline::analyze() {
  if (auto enough = check_length(); !enough) return base::pass(enough);
  plan_selection();
  auto out = describe();
  describe_plan(out);
  const bool in_parts = first_window_.has_value();
  if (!in_parts || config_.only_part_of) {
    if (auto done = judge_rows(in_parts, out); !done) return base::pass(done);
  } else {
    if (auto done = judge_part(kNoEnd); !done) return base::pass(done);
    parts_.move_to(out);
  }
  if (out.saved_baseline) {
    out.saved_baseline->made_of_this = detect::share_in(fingerprint_, config_.saved->origin);
  }
  return out;
}

base::Result<void> Pipeline::check_unknown() const {
  const double share = detect::share_in(fingerprint_, config_.saved->origin);
  if (share <= 0) return {};
  return base::fail(base::ErrorKind::kUsage,
                    share < 1 ? fmt::format("{} of this run is in the baseline already",
                                            text::format_quantity(share, "ratio"))
                              : "this run is in the baseline already",
                    {}, "teach it another good run: what is learned twice looks too usual");
}

base::Result<detect::FittedBaseline> Pipeline::extend_baseline() const {
  if (auto enough = check_length(); !enough) return base::pass(enough);
  if (auto unknown = check_unknown(); !unknown) return base::pass(unknown);
  const auto matched = detect::match(*config_.saved, matrix_, deriver_.channels());
  if (!matched) return base::pass(matched);
  auto out = detect::learn(*config_.saved, matched->design, detect::elapsed_seconds(matrix_, {0}));
  if (!out) return out;
  out->origin.begin_ns = std::min(out->origin.begin_ns, matrix_.window(0).begin_ns);
  out->origin.end_ns = std::max(out->origin.end_ns, matrix_.window(matrix_.row_count() - 1).end_ns);
  out->origin.made_of.push_back(fingerprint_);
  return out;
}

detect::FitOptions Pipeline::fit_options() const {
  return {.channels = selected_channels(config_, plan_, deriver_.channels()),
          .kind = config_.baseline,
          .detectors = {config_.seed, config_.detectors}};
}

std::vector<model::Fingerprint> Pipeline::made_of() const {
  if (!config_.fingerprint) return {};
  return {fingerprint_};
}

detect::BaselineOrigin Pipeline::origin() const {
  return {.host = facts_.host,
          .command = fmt::format("{}", fmt::join(facts_.command, " ")),
          .reveal_version = REVEAL_VERSION,
          .begin_ns = matrix_.window(0).begin_ns,
          .end_ns = matrix_.window(matrix_.row_count() - 1).end_ns,
          .windows = matrix_.row_count(),
          .made_of = made_of()};
}

base::Result<BaselineFit> Pipeline::copy_for_fit(bool whole, const std::vector<bool>& without) {
  if (auto enough = check_length(); !enough) return base::pass(enough);
  // Which channels move together matters to those alone who leave some out.
  if (config_.selection == SelectionMode::kPrune) plan_selection();
  auto matrix = whole ? matrix_ : matrix_.without_rare(detect::least_defined(matrix_));
  auto from = origin();
  if (!without.empty()) {
    matrix = matrix.without_rows(without);
    from.windows = matrix.row_count();
  }
  return BaselineFit{std::move(matrix),
                     deriver_.channels().clone(),
                     fit_options(),
                     std::move(from),
                     spec_,
                     names<std::string>(config_.features.dynamic),
                     names<std::string>(config_.features.events)};
}

}  // namespace reveal::pipeline
