#include "http/event_stream.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "http/json_text.h"

namespace reveal::http {
namespace {

constexpr std::size_t kPortion = std::size_t{32} << 10;
constexpr int kSchemaVersion = 1;
constexpr std::string_view kAskAgain = "retry: 1000\n\n";  // ms

std::string hello(const EventStart& start, const std::string& host, bool is_in_portions) {
  Json out = {{"schema", "reveal.stream"},
              {"schema_version", kSchemaVersion},
              {"host", host},
              {"run", start.run},
              {"seq", start.newest}};
  if (is_in_portions) out["in_portions"] = true;
  return one_line(out);
}

}  // namespace

std::string events_so_far(std::string_view after, Site& site) {
  const auto& board = site.events();
  const auto start = board.start(after);
  std::string out(kAskAgain);
  out += event_text("hello", hello(start, site.host(), true));
  if (!after.empty() && !start.known) out += event_text("resync", R"({"why":"another run"})");
  const auto batch = board.after(start.known.value_or(start.newest), kMostStreamUnsent);
  if (batch.missed) out += event_text("resync", R"({"why":"events were missed"})");
  for (const auto& text : batch.texts) out += *text;
  // With an id also if nothing was told: what comes until the next question is after this one.
  return out + fmt::format("id: {}-{}\n", start.run, batch.reached) + event_text("ping", "{}");
}

EventStream::EventStream(const std::string& head) {
  push(std::make_shared<const std::string>(head));
}

void EventStream::push(EventText text) {
  queued_ += text->size();
  queue_.push_back(std::move(text));
}

void EventStream::add(std::string_view kind, std::string_view json) {
  push(std::make_shared<const std::string>(event_text(kind, json)));
}

void EventStream::begin(std::string_view after, Site& site) {
  const auto& board = site.events();
  const auto start = board.start(after);
  // Without an id: who loses the connection now still asks for what follows its own last one.
  add("hello", hello(start, site.host(), false));
  told_ = start.known.value_or(start.newest);
  if (!after.empty() && !start.known) add("resync", R"({"why":"another run"})");
  const auto batch = board.after(told_, 0);
  for (const auto& text : batch.texts) catching_up_ += text->size();
  catching_up_ += batch.waiting_bytes;
}

bool EventStream::take(const EventBoard& board) {
  const auto batch = board.after(told_, kPortion - std::min(kPortion, queued_));
  if (queued_ < kPortion) {
    told_ = batch.reached;
    if (batch.missed) add("resync", R"({"why":"events were missed"})");
    for (const auto& text : batch.texts) push(text);
    waiting_ = batch.waiting_bytes;
  } else {
    waiting_ = batch.waiting_bytes;
    for (const auto& text : batch.texts) waiting_ += text->size();
  }
  const auto unsent = queued_ + waiting_;
  catching_up_ = std::min(catching_up_, unsent);
  return unsent <= kMostStreamUnsent + catching_up_;
}

bool EventStream::send(Wire& wire) {
  while (!queue_.empty()) {
    const auto& text = *queue_.front();
    const auto written = wire.write(std::string_view(text).substr(sent_));
    if (written.outcome != Wire::Outcome::kDone) return written.outcome == Wire::Outcome::kWaits;
    sent_ += written.bytes;
    queued_ -= written.bytes;
    if (sent_ < text.size()) continue;
    sent_ = 0;
    queue_.pop_front();
  }
  return true;
}

}  // namespace reveal::http
