#include "alert/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "alert/secret.h"
#include "alert/url.h"

namespace reveal::alert {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 4> kKinds = {"alertmanager", "webhook", "command",
                                                    "journal"};
constexpr std::size_t kLongestName = 200;

// An interval of time that an option may have.
struct Bounds {
  const char* key;
  milliseconds least;
  milliseconds most;
  const char* remedy;
};
constexpr Bounds kHold = {"hold", milliseconds(0), milliseconds(3'600'000),
                          "give a time from 0 s to 1 h"};
constexpr Bounds kKeepFiring = {"keep_firing", milliseconds(0), milliseconds(3'600'000),
                                "give a time from 0 s to 1 h"};
constexpr Bounds kResend = {"resend", milliseconds(1000), milliseconds(3'600'000),
                            "give a time from 1 s to 1 h"};
constexpr Bounds kRetry = {"retry", milliseconds(1), milliseconds(30'000),
                           "give a time from 1 ms to 30 s"};
// Longer ones would keep a receiver that is back from its state for more than a minute.
constexpr Bounds kTimeout = {"timeout", milliseconds(100), milliseconds(30'000),
                             "give a time from 100 ms to 30 s"};
constexpr Bounds kCommandTimeout = {"timeout", milliseconds(100), milliseconds(600'000),
                                    "give a time from 100 ms to 10 min"};

base::Unexpected wrong(std::string what, std::string where, std::string remedy) {
  return base::fail(base::ErrorKind::kUsage, std::move(what), std::move(where), std::move(remedy));
}

Result<void> check_bounds(milliseconds value, const Bounds& bounds, const std::string& place) {
  if (value >= bounds.least && value <= bounds.most) return {};
  return wrong(fmt::format("{} ms is out of range", value.count()), place + "." + bounds.key,
               bounds.remedy);
}

bool is_label_name(std::string_view name) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

Result<void> check_labels(const Labels& labels) {
  for (const auto& [name, value] : labels) {
    if (!is_label_name(name)) {
      return wrong("is no name of a label", fmt::format("alerts.labels.{}", name),
                   "use letters, digits and _, and no digit first");
    }
    if (name == kSeverityLabel) {
      return wrong("is not free to choose: each alert states its own", "alerts.labels.severity",
                   "remove it");
    }
    if (value.empty()) {
      return wrong("is empty", fmt::format("alerts.labels.{}", name),
                   "give it a value, or remove it");
    }
  }
  return {};
}

Result<void> check_http(const ReceiverOptions& receiver, const std::string& place) {
  if (receiver.url.empty())
    return wrong("is missing", place + ".url", "name the receiver's address");
  const auto url = parse_url(receiver.url);
  if (!url) {
    auto error = url.error();
    error.where = place + ".url";
    return base::Unexpected(std::move(error));
  }
  if (!url->tls && !receiver.ca_file.empty()) {
    return wrong("is for https alone, and the address begins with http://", place + ".ca_file",
                 "remove it, or use https");
  }
  if (!receiver.secret_file.empty() && receiver.kind != ReceiverKind::kWebhook) {
    return wrong("is for a webhook alone: Alertmanager checks no signature", place + ".secret_file",
                 "remove it, or use token_file");
  }
  if (!receiver.command.empty()) {
    return wrong("is not for this kind of receiver", place + ".command", "remove it");
  }
  return check_bounds(receiver.timeout, kTimeout, place);
}

Result<void> check_local(const ReceiverOptions& receiver, const std::string& place) {
  if (!receiver.url.empty() || !receiver.ca_file.empty() || !receiver.token_file.empty() ||
      !receiver.secret_file.empty()) {
    return wrong("url, ca_file, token_file and secret_file are not for this kind of receiver",
                 place, "remove them");
  }
  if (receiver.kind == ReceiverKind::kJournal) {
    if (receiver.command.empty()) return check_bounds(receiver.timeout, kTimeout, place);
    return wrong("is not for this kind of receiver", place + ".command", "remove it");
  }
  if (receiver.command.empty() || receiver.command.front().empty()) {
    return wrong("names no program", place + ".command",
                 "give the program and its arguments as a list");
  }
  for (const auto& word : receiver.command) {
    if (word.find('\0') == std::string::npos) continue;
    return wrong("has a NUL in a word", place + ".command", "remove it");
  }
  return check_bounds(receiver.timeout, kCommandTimeout, place);
}

Result<void> check_receiver(const ReceiverOptions& receiver, const std::string& place) {
  if (receiver.name.size() > kLongestName) {
    return wrong("is too long", place + ".name", "use a name of at most 200 bytes");
  }
  const bool http =
      receiver.kind == ReceiverKind::kAlertmanager || receiver.kind == ReceiverKind::kWebhook;
  return http ? check_http(receiver, place) : check_local(receiver, place);
}

// The index is that of the receivers of its kind, as in the configuration's arrays of tables.
std::vector<std::string> places_of(const std::vector<ReceiverOptions>& receivers) {
  std::array<int, kKinds.size()> counts{};
  std::vector<std::string> out;
  for (const auto& receiver : receivers) {
    const int index = counts.at(static_cast<std::size_t>(receiver.kind))++;
    out.push_back(fmt::format("alerts.{}[{}]", to_string(receiver.kind), index));
  }
  return out;
}

}  // namespace

std::span<const std::string_view> receiver_kinds() {
  return kKinds;
}

std::string_view to_string(ReceiverKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

std::optional<ReceiverKind> receiver_kind(std::string_view name) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), name);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<ReceiverKind>(found - kKinds.begin());
}

std::string default_name(const ReceiverOptions& receiver) {
  const std::string kind(to_string(receiver.kind));
  if (receiver.kind == ReceiverKind::kJournal) return kind;
  std::string all = receiver.url;
  for (const auto& word : receiver.command) all += word + '\n';
  const auto url = parse_url(receiver.url);
  const auto where = url                        ? url->authority
                     : receiver.command.empty() ? std::string()
                                                : receiver.command.front();
  return fmt::format("{} {} {:08x}", kind, where.substr(0, kLongestName / 2),
                     fingerprint({{"", all}}) & 0xffffffffU);
}

std::vector<ReceiverOptions> named(std::vector<ReceiverOptions> receivers) {
  for (auto& receiver : receivers) {
    if (receiver.name.empty()) receiver.name = default_name(receiver);
  }
  return receivers;
}

Result<void> check(const AlertOptions& options) {
  const std::string table = "alerts";
  if (auto fits = check_bounds(options.hold, kHold, table); !fits) return fits;
  if (auto fits = check_bounds(options.keep_firing, kKeepFiring, table); !fits) return fits;
  if (auto fits = check_bounds(options.resend, kResend, table); !fits) return fits;
  if (auto fits = check_bounds(options.retry, kRetry, table); !fits) return fits;
  if (auto fits = check_labels(options.labels); !fits) return fits;
  const auto places = places_of(options.receivers);
  const auto receivers = named(options.receivers);
  std::set<std::string> names;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    if (auto fits = check_receiver(receivers[i], places[i]); !fits) return fits;
    if (!names.insert(receivers[i].name).second) {
      return wrong(fmt::format("two receivers are both \"{}\"", receivers[i].name), places[i],
                   "remove one");
    }
  }
  return {};
}

std::vector<Error> check_files(const AlertOptions& options) {
  std::vector<Error> out;
  const auto places = places_of(options.receivers);
  const auto add = [&](Error error, const std::string& place) {
    error.where = place + ": " + error.where;
    out.push_back(std::move(error));
  };
  for (std::size_t i = 0; i < options.receivers.size(); ++i) {
    const ReceiverOptions& receiver = options.receivers[i];
    for (const auto& [key, file] : {std::pair("token_file", receiver.token_file),
                                    std::pair("secret_file", receiver.secret_file)}) {
      if (file.empty()) continue;
      if (auto secret = read_secret(file); !secret) add(secret.error(), places[i] + "." + key);
    }
    if (!receiver.ca_file.empty() && ::access(receiver.ca_file.c_str(), R_OK) != 0) {
      add(base::fail_errno(errno, "cannot be read", receiver.ca_file.string()).value(),
          places[i] + ".ca_file");
    }
    const bool by_path =
        !receiver.command.empty() && receiver.command.front().find('/') != std::string::npos;
    if (by_path && ::access(receiver.command.front().c_str(), X_OK) != 0) {
      add(base::fail_errno(errno, "cannot be run", receiver.command.front()).value(),
          places[i] + ".command");
    }
  }
  return out;
}

}  // namespace reveal::alert
