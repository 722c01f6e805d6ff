#include "analyser/configuration.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "alert/options.h"
#include "analyser/web_side.h"
#include "service/broker.h"
#include "service/receivers.h"
#include "service/web_guard.h"

namespace reveal::analyser {
namespace {

using base::Result;

constexpr const char* kUsualServer = "nats://127.0.0.1:4222";
constexpr std::array<std::string_view, 5> kWho{"user", "password_file", "nkey", "nkey_seed_file",
                                               "credentials_file"};

std::string flag_of(const settings::Given& given, std::string_view key) {
  const auto* text = given.flag_text("fleet", key);
  return text == nullptr ? std::string() : *text;
}

settings::FleetSettings fleet_of(const settings::Given& given) {
  auto out = given.over({}).fleet;
  if (out.servers.empty()) out.servers = {kUsualServer};
  const bool is_named_by_flags = std::ranges::any_of(
      kWho, [&](std::string_view key) { return given.flag_text("fleet", key) != nullptr; });
  if (!is_named_by_flags) return out;
  out.user = flag_of(given, "user");
  out.password_file = flag_of(given, "password_file");
  out.nkey = flag_of(given, "nkey");
  out.nkey_seed_file = flag_of(given, "nkey_seed_file");
  out.credentials_file = flag_of(given, "credentials_file");
  return out;
}

settings::WebSettings web_of(const settings::Settings& all) {
  auto out = all.web;
  out.listen = all.analyser.listen;
  return out;
}

}  // namespace

Result<AnalyserOptions> options_of(const settings::Given& given) {
  const auto all = given.over({});
  const auto fleet = fleet_of(given);
  if (auto sound = service::check_broker(given, fleet); !sound) return base::pass(sound);
  if (auto sound = service::check_page_url(given, "analyser", all.analyser.url,
                                           "https://fleet.example:7384");
      !sound) {
    return base::pass(sound);
  }
  AnalyserOptions out{.broker = service::broker_options(fleet, "reveal analyser"),
                      .epoch = all.analyser.epoch,
                      .replicas = all.analyser.replicas,
                      .makes_streams = all.analyser.make_streams,
                      .database = all.analyser.database,
                      .keep_days = all.analyser.keep_days,
                      .alerts = service::alert_options(all, {}),
                      .page_url = all.analyser.url,
                      .web = web_of(all)};
  if (auto sound = alert::check(out.alerts); !sound) return base::pass(sound);
  return out;
}

Result<void> check_with_files(const settings::Given& given) {
  const auto options = options_of(given);
  if (!options) return base::pass(options);
  if (auto sound = service::check_broker_files(given, fleet_of(given)); !sound) return sound;
  if (auto sound = check_web(options->web); !sound) return sound;
  auto wrong = alert::check_files(options->alerts);
  if (wrong.empty()) return {};
  wrong.front().kind = base::ErrorKind::kUsage;
  return base::Unexpected(std::move(wrong.front()));
}

}  // namespace reveal::analyser
