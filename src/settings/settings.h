// The settings as typed values, checked once, when the text of a flag or of reveal.toml becomes one
// of these. Times are in ns. A member here has a row in table.cc, and lives nowhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "detect/detector.h"
#include "detect/threshold.h"
#include "settings/free_space.h"
#include "window/window_choice.h"

namespace reveal::settings {

// [record]: how this host is recorded.
struct RecordSettings {
  std::int64_t interval_ns = 100'000'000;
  std::int64_t duration_ns = 0;  // 0: until it is stopped
  FreeSpace min_free;
  std::int64_t sync_ns = 0;     // 0: when the kernel likes
  std::int64_t keep_ns = 0;     // 0: whatever its age
  std::uint64_t max_bytes = 0;  // 0: whatever its size
  bool processes = true;        // whether the largest are told (docs/processes.md)
  std::string plan;             // the file of a selection plan, for what is stored; empty: all
};

// [collect]: what is read how often.
struct CollectSettings {
  std::int64_t quick_ns = 300'000'000;
  std::int64_t medium_ns = 1'000'000'000;
  std::int64_t slow_ns = 10'000'000'000;
  double budget_ratio = 0.01;  // of one core, for each collector; a fifth of it in "quick"
  // By collector: "fast", "quick", "medium", "slow" or "off"; others as registered.
  std::map<std::string, std::string, std::less<>> poll_classes;
};

// A table of [[probes.metric]]: a metric of the user's own.
struct ProbeMetricSettings {
  std::string name;  // of Prometheus' characters
  std::string kind;  // a word of model::Kind
  std::string unit;
  std::string subsystem;  // a word of model::Subsystem
  std::string label;
  double scale = 1.0;  // not 0

  bool operator==(const ProbeMetricSettings&) const = default;
};

// A table of [[probes.command]]: a program that prints such metrics.
struct ProbeCommandSettings {
  std::vector<std::string> run;  // its words
  std::int64_t every_ns = 60'000'000'000;
  std::int64_t timeout_ns = 10'000'000'000;  // at most `every_ns`

  bool operator==(const ProbeCommandSettings&) const = default;
};

// [probes]: what this host records besides what Reveal reads itself.
struct ProbeSettings {
  std::string textfile;  // a folder; empty: none
  std::string statsd;    // an address; empty: none
  std::vector<ProbeMetricSettings> metrics;
  std::vector<ProbeCommandSettings> commands;
};

// [analysis]: what decides the outcome, besides the frames.
struct AnalysisSettings {
  std::string method = "default";                     // what the others started from
  window::WindowChoice windows;                       // with a saved baseline: the baseline's
  std::vector<std::string> feature_names{"default"};  // of features and profiles
  std::string compared_with = "rest";                 // or "run", "past", or the file of a baseline
  double contamination = 0.01;
  detect::Threshold threshold;
  // Those that vote; a saved baseline has its own.
  std::vector<std::string> detectors{detect::kUsualDetectors.begin(),
                                     detect::kUsualDetectors.end()};
  int min_agreement = 2;
  // Findings of which more a day than these are expected by chance have low confidence; nothing:
  // none has.
  std::optional<double> false_alarms_per_day;
  std::uint32_t warm_up = 5;     // windows at the start of the run that raise no alarm
  std::uint64_t seed = 1;        // of everything random
  std::string channels = "all";  // or "prune", or the file of a selection plan
  double correlation = 0.5;      // |r| above which channels are redundant
};

// [retention]: from which age on a recording is kept in what form.
struct RetentionSettings {
  std::int64_t full_ns = 86'400'000'000'000;         // then a frame a second,
  std::int64_t second_ns = 7 * 86'400'000'000'000;   // then a frame a minute,
  std::int64_t minute_ns = 90 * 86'400'000'000'000;  // then nothing
  std::uint64_t max_bytes = 0;                       // of both rollups; 0: any number
};

// [agent]: the service that watches this host (reveal agent).
struct AgentServiceSettings {
  std::string directory = "/var/lib/reveal";  // of its recording, findings and state
  bool daily_report = true;                   // whether it writes one of each day
  bool downsample = false;                    // whether it does, as [retention] says
};

// [web.tls]: how connections are encrypted, but those of unix sockets.
struct WebTlsSettings {
  std::string cert_file;  // empty: not at all
  std::string key_file;
  std::string client_ca_file;
  std::string client_auth_type = "NoClientCert";
  std::string min_version = "TLS12";
};

// [web.auth]: who may ask, but over unix sockets. Both empty: anybody who can connect.
struct WebAuthSettings {
  std::string basic_users_file;
  std::string tokens_file;
};

// [web]: who can ask the agent.
struct WebSettings {
  std::vector<std::string> listen{"127.0.0.1:7383", "unix:/run/reveal/reveal.sock"};
  std::vector<std::string> names;  // of this host, that clients call it by, besides its own
  std::string url;                 // where others open the page; empty: nobody is told
  // Whether addresses besides the loopback are served without TLS, or to anybody.
  bool insecure = false;
  WebTlsSettings tls;
  WebAuthSettings auth;
};

// [alerts]: when and how often receivers are told.
struct AlertSettings {
  std::string min_severity = "moderate";
  std::int64_t resend_ns = 30'000'000'000;
  std::vector<std::string> labels;  // of each alert, NAME=VALUE
};

// A table of [[alerts.alertmanager]], [[alerts.webhook]], [[alerts.command]] or [[alerts.journal]]:
// one receiver. A member is empty if the table does not have the key.
struct ReceiverSettings {
  std::string kind;  // "alertmanager", "webhook", "command" or "journal"
  std::string url;
  std::string ca_file;
  std::string token_file;
  std::string secret_file;
  std::vector<std::string> run;  // the words of a command
  std::int64_t timeout_ns = 5'000'000'000;

  bool operator==(const ReceiverSettings&) const = default;
};

// [fleet.tls]: how the way to a broker is encrypted.
struct FleetTlsSettings {
  std::string ca_file;    // empty: the system's authorities
  std::string cert_file;  // of this host; empty: none
  std::string key_file;
  std::string server_name;  // that the broker's certificate must have; empty: that of its address
};

// [fleet]: where the agent tells of this host, and as whom.
struct FleetSettings {
  std::vector<std::string> servers;  // none: nowhere
  std::string site = "main";
  std::string role;                 // empty: hosts with like hardware are its peers
  std::vector<std::string> labels;  // NAME=VALUE
  std::string user;
  std::string password_file;
  std::string nkey;
  std::string nkey_seed_file;
  std::string credentials_file;
  bool answers = false;  // the fleet may ask what a viewer sees
  FleetTlsSettings tls;
};

// [analyser]: the service that watches a fleet (reveal analyser).
struct AnalyserServiceSettings {
  std::string database;  // empty: nothing is kept
  std::uint32_t keep_days = 365;
  std::uint32_t epoch = 1;
  bool make_streams = false;
  std::uint32_t replicas = 1;
  std::vector<std::string> listen;  // where its page is served; empty: nowhere
  std::string url;                  // where others open its page; empty: nobody is told
};

struct Settings {
  AgentServiceSettings agent;
  RecordSettings record;
  CollectSettings collect;
  ProbeSettings probes;
  AnalysisSettings analysis;
  RetentionSettings retention;
  WebSettings web;
  AlertSettings alerts;
  FleetSettings fleet;
  AnalyserServiceSettings analyser;
  std::vector<ReceiverSettings> receivers;  // by kind, then as in the file
};

}  // namespace reveal::settings
