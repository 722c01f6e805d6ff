// A program that announces alerts as an agent would, for tests that kill it and look from outside.
//
// usage: alert_driver CONFIGURATION.json
//
// Each line of stdin replaces what it announces: {"open": [{"id": ..., "labels": ...,
// "annotations": ..., "begin_ns": ...}]}, or {"churn": N}: N alerts that come and go by the clock.
// It answers with one line of its receivers' status, and ends with stdin.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alert/announcer.h"
#include "base/thread.h"

namespace reveal {
namespace {

using alert::Alert;
using alert::AlertOptions;
using alert::Announcer;
using Json = nlohmann::json;
using std::chrono::milliseconds;

// Often, so that many kills find something going on.
constexpr milliseconds kStep{10};
constexpr std::int64_t kPhaseMs = 150;

AlertOptions options_from(const Json& json) {
  AlertOptions out;
  out.state_file = json.at("state_file").get<std::string>();
  out.keep_firing = milliseconds(json.at("keep_firing_ms").get<int>());
  out.resend = milliseconds(json.at("resend_ms").get<int>());
  out.retry = milliseconds(json.at("retry_ms").get<int>());
  for (const Json& each : json.at("receivers")) {
    alert::ReceiverOptions receiver;
    for (const auto kind : {alert::ReceiverKind::kAlertmanager, alert::ReceiverKind::kWebhook,
                            alert::ReceiverKind::kCommand, alert::ReceiverKind::kJournal}) {
      if (each.at("kind") == to_string(kind)) receiver.kind = kind;
    }
    receiver.name = each.at("kind").get<std::string>();
    receiver.url = each.value("url", "");
    receiver.command = each.value("command", std::vector<std::string>());
    out.receivers.push_back(receiver);
  }
  return out;
}

Alert alert_from(const Json& json) {
  Alert out;
  out.id = json.value("id", "");
  out.labels = json.at("labels").get<alert::Labels>();
  out.annotations = json.at("annotations").get<alert::Labels>();
  out.begin_ns = json.at("begin_ns").get<std::int64_t>();
  return out;
}

std::vector<Alert> churning(int count, std::int64_t now_ns) {
  std::vector<Alert> out;
  const std::int64_t now_ms = now_ns / 1'000'000;
  for (int i = 0; i < count; ++i) {
    const std::int64_t shift_ms = i * kPhaseMs / count;
    const std::int64_t phase = (now_ms + shift_ms) / kPhaseMs;
    if (phase % 2 != 0) continue;
    Alert alert;
    // Of one name, the next would go on with one that a kill left open, under another begin.
    const std::string name = "disk" + std::to_string(i) + "_" + std::to_string(phase);
    alert.begin_ns = (phase * kPhaseMs - shift_ms) * 1'000'000;
    alert.labels = {{"alertname", "RevealFinding"}, {"subsystem", name}, {"severity", "warning"}};
    alert.annotations = {{"summary", "began " + std::to_string(alert.begin_ns)}};
    out.push_back(std::move(alert));
  }
  return out;
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// What is announced, as the lines of stdin have it.
class Wanted {
 public:
  void set(const Json& line) {
    const std::lock_guard lock(mutex_);
    churn_ = line.value("churn", 0);
    open_.clear();
    for (const Json& each : line.value("open", Json::array())) open_.push_back(alert_from(each));
    is_known_ = true;
  }
  void announce(Announcer& announcer) {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = now_ns();
    if (!is_known_) return announcer.unknown(now);
    announcer.update(churn_ != 0 ? churning(churn_, now) : open_, now);
  }
  bool ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }

 private:
  std::mutex mutex_;
  bool is_known_ = false;
  bool ended_ = false;
  int churn_ = 0;
  std::vector<Alert> open_;
};

void print_status(const Announcer& announcer) {
  Json out = {{"firing", announcer.firing()},
              {"damage", announcer.damage() ? announcer.damage()->message() : ""},
              {"state_error", announcer.state_error() ? announcer.state_error()->message() : ""}};
  for (const auto& status : announcer.status()) {
    out["receivers"][status.name] = {{"sent", status.sent},
                                     {"failed", status.failed},
                                     {"dropped", status.dropped},
                                     {"queue", status.queue},
                                     {"last_error", status.last_error}};
  }
  std::cout << out.dump() << std::endl;
}

int run(const char* file) {
  std::FILE* opened = std::fopen(file, "r");
  if (opened == nullptr) return 2;
  const AlertOptions options = options_from(Json::parse(opened));
  std::fclose(opened);
  const auto announcer = Announcer::start(options);
  if (!announcer) {
    std::cerr << announcer.error().message() << "\n";
    return 1;
  }
  Wanted wanted;
  auto ticking = base::start_thread("a test", [&] {
    while (!wanted.ended()) {
      wanted.announce(**announcer);
      std::this_thread::sleep_for(kStep);
    }
  });
  if (!ticking) return 1;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) wanted.set(Json::parse(line));
    print_status(**announcer);
  }
  wanted.end();
  ticking->join();
  return 0;
}

}  // namespace
}  // namespace reveal

int main(int count, char** words) {
  return count == 2 ? reveal::run(words[1]) : 2;
}
