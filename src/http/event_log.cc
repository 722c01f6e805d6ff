#include "http/event_log.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "text/parse_number.h"

namespace reveal::http {

std::string event_text(std::string_view kind, std::string_view json) {
  auto out = fmt::format("event: {}\ndata: {}", kind, json);
  const auto data = out.begin() + static_cast<std::ptrdiff_t>(out.size() - json.size());
  std::replace(data, out.end(), '\n', ' ');
  std::replace(data, out.end(), '\r', ' ');
  return out + "\n\n";
}

std::string EventLog::id_of(std::uint64_t number) const {
  return fmt::format("{}-{}", run_, number);
}

std::optional<std::uint64_t> EventLog::number_of(std::string_view id) const {
  if (!id.starts_with(run_ + "-")) return {};
  const auto number = text::parse_u64(id.substr(run_.size() + 1));
  if (!number || *number > newest_) return {};
  return *number;
}

void EventLog::add(std::string_view kind, std::string_view json, Clock::time_point now) {
  ++newest_;
  auto text = std::make_shared<const std::string>(
      fmt::format("id: {}\n{}", id_of(newest_), event_text(kind, json)));
  bytes_ += text->size();
  kept_.push_back({now, std::move(text)});
  while (bytes_ > kMostEventBytes || kept_.front().at + kMostEventAge < now) {
    bytes_ -= kept_.front().text->size();
    kept_.pop_front();
    if (kept_.empty()) return;
  }
}

EventBatch EventLog::after(std::uint64_t number, std::size_t most_bytes) const {
  const auto oldest = newest_ - kept_.size();  // the newest of those that are forgotten
  if (number < oldest || number > newest_) return {.reached = newest_, .missed = true};
  EventBatch out{.reached = number};
  std::size_t taken = 0;
  for (std::size_t i = number - oldest; i < kept_.size(); ++i) {
    const auto& text = kept_[i].text;
    if (taken > most_bytes) {
      out.waiting_bytes += text->size();
      continue;
    }
    taken += text->size();
    out.texts.push_back(text);
    ++out.reached;
  }
  return out;
}

}  // namespace reveal::http
