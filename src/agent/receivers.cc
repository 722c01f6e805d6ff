#include "agent/receivers.h"

#include <utility>

#include "agent/log.h"
#include "service/receivers.h"

namespace reveal::agent {

base::Result<Receivers> Receivers::start(const settings::Settings& settings, const Paths& paths) {
  Receivers out(settings.web.url);
  if (settings.receivers.empty()) return out;
  const auto how = service::alert_options(settings, paths.alerts());
  for (const auto& wrong : alert::check_files(how)) log(Priority::kWarning, wrong.message());
  auto announcer = alert::Announcer::start(how);
  if (!announcer) return base::pass(announcer);
  out.announcer_ = std::move(*announcer);
  if (const auto& damage = out.announcer_->damage()) log(Priority::kError, damage->message());
  return out;
}

void Receivers::update(const HostWatch& watch, std::int64_t now_ns) {
  if (!announcer_) return;
  if (watch.history().not_judged) return announcer_->unknown(now_ns);
  announcer_->update(alerts_.of(watch.log().recent(), now_ns), now_ns);
  const auto failed = announcer_->state_error();
  const auto said = failed ? failed->message() : std::string();
  if (!said.empty() && said != trouble_) log(Priority::kError, said);
  trouble_ = said;
}

std::vector<alert::ReceiverStatus> Receivers::status() const {
  return announcer_ ? announcer_->status() : std::vector<alert::ReceiverStatus>();
}

}  // namespace reveal::agent
