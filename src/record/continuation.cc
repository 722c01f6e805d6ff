#include "record/continuation.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "text/time_text.h"

namespace reveal::record {
namespace {

using model::ChannelId;
using model::Note;
using model::Validity;

// Returns what makes the values of two metrics comparable.
auto terms(const model::MetricDescriptor& metric) {
  return std::tie(metric.kind, metric.repr, metric.scale, metric.unit, metric.counter_bits);
}

bool counts(const model::MetricDescriptor& metric) {
  return metric.kind == model::Kind::kCounter || metric.kind == model::Kind::kEvent;
}

base::Unexpected refuse(std::string what, const std::string& where, std::string remedy) {
  return base::fail(base::ErrorKind::kUsage, std::move(what), where, std::move(remedy));
}

bool states(const model::Frame& frame, const Note& fact) {
  return std::any_of(frame.notes.begin(), frame.notes.end(), [&fact](const Note& note) {
    return note.kind == Note::Kind::kFact && note.source == fact.source &&
           note.subject == fact.subject;
  });
}

}  // namespace

base::Result<Continuation> Continuation::of(const store::RecordingTail& tail,
                                            const model::RunFacts& now, const std::string& where) {
  const model::RunFacts& old = tail.facts;
  // Every kernel has a release, and no other program's samples tell it.
  if (old.kernel.empty() && !now.kernel.empty()) {
    return refuse("was not recorded, but imported, and cannot be resumed", where,
                  "choose another directory");
  }
  if (old.host != now.host) {
    return refuse(fmt::format("is a recording of {}, and this host is {}", old.host, now.host),
                  where, "choose another directory");
  }
  if (old.interval_ns != now.interval_ns) {
    return refuse(fmt::format("has a frame every {}, not every {}",
                              text::span_text(old.interval_ns), text::span_text(now.interval_ns)),
                  where, "give the interval that it has, or choose another directory");
  }
  return Continuation(tail, now);
}

Continuation::Continuation(const store::RecordingTail& tail, const model::RunFacts& now)
    : facts_(now),
      boot_id_(now.boot_id),
      channels_(tail.channels.clone()),
      last_(tail.last),
      stated_(tail.stated.notes()) {
  facts_.host = tail.facts.host;
  facts_.boot_id = tail.facts.boot_id;
  facts_.start_wall_ns = tail.facts.start_wall_ns;
  for (std::size_t i = 0; i < channels_.metric_count(); ++i) {
    metrics_.add_metric(channels_.metric(model::MetricId(i)));
  }
  for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
    counts_anew_.push_back(counts(channels_.metric(ChannelId(i))));
  }
}

void Continuation::number_anew() {
  for (std::size_t i = 0; i < counts_anew_.size(); ++i) {
    if (counts_anew_[i]) unnumbered_.insert(channels_.name(ChannelId(i)));
  }
  channels_ = model::ChannelTable();
  counts_anew_.clear();
  id_of_.clear();
  links_.clear();
  out_ = model::Frame();
}

// Returns how long after the last frame one at `wall_ns` is taken to be.
std::int64_t Continuation::ns_away(std::int64_t wall_ns) const {
  return std::max(wall_ns - last_->wall_ns, facts_.interval_ns);
}

std::string Continuation::how_it_went_on(std::int64_t wall_ns) const {
  const std::int64_t away_ns = wall_ns - last_->wall_ns;
  std::string out = away_ns > 0
                        ? fmt::format("went on after {} without frames", text::span_text(away_ns))
                        : fmt::format(
                              "went on after an unknown time without frames: the clock is {} "
                              "behind that of the last frame",
                              text::span_text(-away_ns));
  if (boot_id_ != facts_.boot_id) out += fmt::format("; the boot is {} now", boot_id_);
  return out;
}

void Continuation::begin(const model::Frame& frame) {
  const std::int64_t half_ns = facts_.interval_ns / 2;
  std::uint64_t sequence = 0;
  std::int64_t mono_ns = frame.mono_ns;
  if (last_) {
    const std::int64_t away_ns = ns_away(frame.wall_ns);
    sequence =
        last_->sequence + static_cast<std::uint64_t>((away_ns + half_ns) / facts_.interval_ns);
    mono_ns = last_->mono_ns + away_ns;
  } else {
    const auto since_ns = std::max<std::int64_t>(frame.wall_ns - facts_.start_wall_ns, 0);
    sequence = static_cast<std::uint64_t>((since_ns + half_ns) / facts_.interval_ns);
  }
  sequence_shift_ = sequence - frame.sequence;
  mono_shift_ns_ = mono_ns - frame.mono_ns;
  first_mono_ns_ = mono_ns;
}

// Returns the metric of the recording whose values these are, adding it if it is new.
model::MetricId Continuation::metric_like(const model::MetricDescriptor& metric) {
  std::string name(metric.name);
  for (int version = 2;; ++version) {
    const auto known = metrics_.find_metric(name);
    if (known && terms(metrics_.metric(*known)) == terms(metric)) {
      return channels_.add_metric(metrics_.metric(*known));
    }
    if (!known) break;
    name = fmt::format("{}_v{}", metric.name, version);
  }
  model::MetricDescriptor added = metric;
  added.name = name;
  metrics_.add_metric(added);
  return channels_.add_metric(added);
}

void Continuation::take_new_channels(const model::ChannelTable& now) {
  for (std::size_t i = id_of_.size(); i < now.channel_count(); ++i) {
    const ChannelId id(i);
    const ChannelId out =
        channels_.add_channel(metric_like(now.metric(id)), now.channel(id).instance);
    id_of_.push_back(out);
    link(channels_.source(out), now.source(id));
    counts_anew_.resize(channels_.channel_count(), false);
    if (!unnumbered_.empty() && unnumbered_.erase(channels_.name(out)) > 0) {
      counts_anew_[out.index()] = true;
    }
  }
}

void Continuation::link(model::SourceId old, model::SourceId now) {
  const bool known = std::any_of(links_.begin(), links_.end(), [&](const SourceLink& link) {
    return link.old == old && link.now == now;
  });
  if (!known) links_.push_back({old, now});
}

void Continuation::set_values(const model::Frame& frame) {
  out_.resize(channels_.channel_count());
  std::fill(out_.validity.begin(), out_.validity.end(), Validity::kMissing);
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    const std::size_t at = id_of_[i].index();
    out_.bits[at] = frame.bits[i];
    out_.validity[at] = frame.validity[i];
    if (!counts_anew_[at] || !frame.was_read(ChannelId(i))) continue;
    out_.validity[at] = Validity::kReset;
    counts_anew_[at] = false;
  }
}

// Where several collectors read what one read before, their latest reading counts.
void Continuation::set_times(const model::Frame& frame) {
  constexpr auto kNever = std::numeric_limits<std::int64_t>::min();
  out_.read_ns.assign(channels_.source_count(), kNever);
  for (const SourceLink& link : links_) {
    std::int64_t& time_ns = out_.read_ns[link.old.index()];
    time_ns = std::max(time_ns, frame.read_ns_of(link.now) + mono_shift_ns_);
  }
  // A collector that is gone has no values; a time that never changes costs nothing.
  std::replace(out_.read_ns.begin(), out_.read_ns.end(), kNever, first_mono_ns_);
}

void Continuation::end_facts(const model::Frame& frame) {
  for (const Note& fact : stated_) {
    if (!states(frame, fact))
      out_.notes.push_back({Note::Kind::kFact, fact.source, fact.subject, ""});
  }
}

const model::Frame& Continuation::apply(const model::ChannelTable& now, const model::Frame& frame) {
  const bool first = !std::exchange(begun_, true);
  if (first) begin(frame);
  take_new_channels(now);
  out_.sequence = frame.sequence + sequence_shift_;
  out_.wall_ns = frame.wall_ns;
  out_.mono_ns = frame.mono_ns + mono_shift_ns_;
  out_.cost_ns = frame.cost_ns;
  out_.gap = frame.gap;
  set_values(frame);
  set_times(frame);
  out_.notes.clear();
  if (first) {
    if (out_.sequence != (last_ ? last_->sequence + 1 : 0)) out_.gap |= model::kGapLate;
    if (last_) {
      out_.notes.push_back(
          {Note::Kind::kEvent, "recorder", "recording", how_it_went_on(frame.wall_ns)});
    }
    end_facts(frame);
  }
  out_.notes.insert(out_.notes.end(), frame.notes.begin(), frame.notes.end());
  return out_;
}

}  // namespace reveal::record
