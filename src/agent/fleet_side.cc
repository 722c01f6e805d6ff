#include "agent/fleet_side.h"

#include <utility>

#include <fmt/format.h>

#include "agent/fleet_options.h"
#include "agent/log.h"
#include "base/fnv.h"
#include "bus/nats_publisher.h"
#include "bus/nats_responder.h"
#include "publish/host_id.h"
#include "publish/pod_owner.h"
#include "service/broker.h"
#include "store/segment_reader.h"
#include "wire/question.h"

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
// A window is judged with the frame after its end, which may come a little later than that.
constexpr std::int64_t kNewest_ns = 5 * kSecond_ns;
constexpr std::int64_t kSlack_ns = kSecond_ns / 10;
// A broker that is away for a moment is not worth a line.
constexpr std::int64_t kPatience_ns = 10 * kSecond_ns;

std::vector<publish::FindingState> findings_of(const std::vector<LoggedFinding>& all) {
  std::vector<publish::FindingState> out;
  out.reserve(all.size());
  for (const auto& one : all) {
    out.push_back({.id = one.id,
                   .revision = one.revision,
                   .open = one.open,
                   .begin_ns = one.begin_ns,
                   .end_ns = one.end_ns,
                   .subsystem = one.subsystem,
                   .severity = one.severity,
                   .claim = one.claim,
                   .pattern = one.pattern,
                   .json = one.fields});
  }
  return out;
}

}  // namespace

std::optional<publish::HostVerdict> verdict_by(const live::History& history, std::int64_t end_ns) {
  const auto& windows = history.windows;
  auto window = windows.rbegin();
  while (window != windows.rend() && window->span.end_ns > end_ns + kSlack_ns) ++window;
  if (window == windows.rend() || !window->judged || window->span.end_ns < end_ns - kNewest_ns) {
    return std::nullopt;
  }
  return publish::HostVerdict{
      .votes = window->agreement, .strength = window->strength, .shares = window->shares};
}

publish::LateLevels::Open opener_of(const std::filesystem::path& recording) {
  return [recording](std::int64_t from_ns,
                     std::int64_t to_ns) -> base::Result<std::unique_ptr<model::FrameSource>> {
    store::ReadOptions options;
    options.from_ns = from_ns;
    options.to_ns = to_ns;
    auto opened = store::SegmentReader::open(recording, std::move(options));
    if (!opened) return base::pass(opened);
    return std::make_unique<store::SegmentReader>(std::move(*opened));
  };
}

FleetSide::FleetSide(const settings::FleetSettings& settings, const Paths& paths,
                     std::int64_t now_ns)
    : is_wanted_(!settings.servers.empty()), site_(settings.site) {
  if (is_wanted_) start(settings, paths, now_ns);
}

void FleetSide::start(const settings::FleetSettings& settings, const Paths& paths,
                      std::int64_t now_ns) {
  const auto labels = host_labels(settings);
  if (!labels) return fail(labels.error().message());
  auto id = publish::host_id(paths.identity());
  if (!id) return fail(id.error().message());
  host_ = std::move(*id);
  auto publisher = bus::NatsPublisher::start(service::broker_options(settings, "reveal " + host_));
  if (!publisher) return fail(publisher.error().message());
  publisher_ = std::move(*publisher);
  messages_.emplace(publish::HostPublisherOptions{.host = host_,
                                                  .labels = *labels,
                                                  .events_file = paths.fleet_events(),
                                                  .owed_file = paths.fleet_owed(),
                                                  .open_past = opener_of(paths.recording()),
                                                  .pod_logs = publish::kPodLogs},
                    *publisher_);
  stream_.emplace(now_ns);
  log(Priority::kInfo, fmt::format("tells the fleet of this host as {}, at site {}", host_, site_));
}

void FleetSide::fail(const std::string& why) {
  failure_ = why;
  log(Priority::kError, "the fleet is told nothing: " + why);
}

void FleetSide::update(const HostWatch& watch, std::int64_t now_ns) {
  if (!messages_) return;
  for (const auto& bucket : stream_->take()) {
    const auto verdict = verdict_by(watch.history(), bucket.begin_ns + stream_->bucket_ns());
    messages_->tell_levels(*stream_, bucket, verdict, now_ns);
  }
  const auto* latest = watch.latest_facts();
  if (latest != nullptr) {
    messages_->round(*stream_, *latest, findings_of(watch.log().recent()), now_ns,
                     [&watch](std::int64_t end_ns) { return verdict_by(watch.history(), end_ns); });
  }
  say_trouble(now_ns);
  say_trouble_of_the_past();
  say_trouble_of_answers(now_ns);
}

void FleetSide::save() {
  if (messages_) messages_->save();
}

std::string FleetSide::trouble() const {
  if (!messages_) return failure_;
  return messages_->trouble().empty() ? publisher_->trouble() : messages_->trouble();
}

LastingTrouble::Say LastingTrouble::update(const std::string& now, std::int64_t now_ns) {
  if (now.empty()) {
    since_ns_ = 0;
    return std::exchange(is_said_, false) ? Say::kItIsOver : Say::kNothing;
  }
  if (since_ns_ == 0) since_ns_ = now_ns;
  if (is_said_ || now_ns < since_ns_ + kPatience_ns) return Say::kNothing;
  is_said_ = true;
  return Say::kTrouble;
}

void FleetSide::say_trouble(std::int64_t now_ns) {
  const auto now = trouble();
  const auto say = said_.update(now, now_ns);
  if (say == LastingTrouble::Say::kItIsOver) log(Priority::kNotice, "the fleet is told again");
  if (say == LastingTrouble::Say::kTrouble) log(Priority::kWarning, "the fleet: " + now);
}

void FleetSide::say_trouble_of_answers(std::int64_t now_ns) {
  const auto now = trouble_of_answers();
  const auto say = said_of_answers_.update(now, now_ns);
  if (say == LastingTrouble::Say::kItIsOver) log(Priority::kNotice, "the fleet can ask again");
  if (say == LastingTrouble::Say::kTrouble) {
    log(Priority::kWarning, "the fleet cannot ask: " + now);
  }
}

void FleetSide::answer(const settings::FleetSettings& settings, http::Site& site) {
  is_to_answer_ = is_wanted_ && settings.answers;
  if (!is_to_answer_ || host_.empty()) return;
  if (const auto begun = begin_answers(settings, site); !begun) {
    answers_failure_ = begun.error().message();
  }
}

base::Result<void> FleetSide::begin_answers(const settings::FleetSettings& settings,
                                            http::Site& site) {
  auto responder =
      bus::NatsResponder::make(service::broker_options(settings, "reveal " + host_ + " answers"),
                               wire::question_subject(host_));
  if (!responder) return base::pass(responder);
  auto answers = relay::HostAnswers::start(std::move(*responder), site);
  if (!answers) return base::pass(answers);
  answers_ = std::move(*answers);
  log(Priority::kInfo, "answers what the fleet asks, as a viewer");
  return {};
}

std::string FleetSide::trouble_of_answers() const {
  return answers_ ? answers_->trouble() : answers_failure_;
}

void FleetSide::say_trouble_of_the_past() {
  const auto now = messages_->past_trouble();
  if (now == said_of_the_past_) return;
  said_of_the_past_ = now;
  if (now.empty()) return;
  log(Priority::kWarning, "what the fleet lacks cannot be read from the recording: " + now);
}

std::optional<serve::FleetState> FleetSide::state() const {
  if (!is_wanted_) return std::nullopt;
  serve::FleetState out{.site = site_, .host_id = host_, .trouble = trouble()};
  out.answers = is_to_answer_;
  out.answers_trouble = trouble_of_answers();
  if (answers_) out.answered = answers_->answered();
  if (publisher_ == nullptr) return out;
  const auto counts = publisher_->counts();
  out.published = counts.acknowledged;
  out.lost = counts.lost();
  out.waiting = counts.waiting;
  if (messages_) out.owed_s = messages_->owed_ns() / kSecond_ns;
  return out;
}

std::int64_t FleetSide::until_turn_ns(std::int64_t now_ns, std::int64_t apart_ns) const {
  const auto turn =
      static_cast<std::int64_t>(base::fnv1a(host_) % static_cast<std::uint64_t>(apart_ns));
  const auto since = (now_ns - turn) % apart_ns;
  return apart_ns - (since < 0 ? since + apart_ns : since);
}

}  // namespace reveal::agent
