#include "analyser/receivers.h"

#include <utility>

#include "peers/group.h"

namespace reveal::analyser {

base::Result<Receivers> Receivers::start(const alert::AlertOptions& options,
                                         const std::function<void(std::string_view)>& notice) {
  for (const auto& wrong : alert::check_files(options)) notice(wrong.message());
  auto announcer = alert::Announcer::start(options);
  if (!announcer) return base::pass(announcer);
  Receivers out;
  out.announcer_ = std::move(*announcer);
  return out;
}

void Receivers::round(AlertDesk& desk, std::int64_t steady_ns, std::int64_t wall_ns) {
  if (const auto lost = desk.take_lost(); !lost.empty()) announcer_->let_go(lost);
  if (told_ns_ != 0 && steady_ns - told_ns_ < peers::kSecond_ns) return;
  told_ns_ = steady_ns;
  announcer_->update(desk.alerts(), wall_ns);
}

}  // namespace reveal::analyser
