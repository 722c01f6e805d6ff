#include "alert/receiver.h"

#include <cerrno>
#include <ctime>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "alert/command.h"
#include "alert/http.h"
#include "alert/payload.h"
#include "alert/secret.h"
#include "alert/wait.h"
#include "base/sigpipe.h"
#include "text/safe_text.h"

namespace reveal::alert {
namespace {

using base::Result;

constexpr std::string_view kAlertsPath = "/api/v2/alerts";

Delivery not_taken(const base::Error& error) {
  return {Outcome::kNotTaken, text::inert(error.message())};
}

// Returns the request with its address and its token.
Result<HttpPost> request_to(const ReceiverOptions& receiver, std::string body) {
  auto url = parse_url(receiver.url);
  if (!url) return base::pass(url);
  HttpPost out;
  out.url = std::move(*url);
  out.ca_file = receiver.ca_file;
  out.body = std::move(body);
  out.timeout = receiver.timeout;
  if (!receiver.token_file.empty()) {
    const auto token = read_secret(receiver.token_file);
    if (!token) return base::pass(token);
    out.headers.emplace_back("Authorization", "Bearer " + *token);
  }
  return out;
}

Delivery send_to_webhook(const ReceiverOptions& receiver, const Event& event, const Labels& more,
                         const Stop& stop, const BeforeSending& before_sending) {
  auto request = request_to(receiver, webhook_body(event, receiver.name, more));
  if (!request) return not_taken(request.error());
  request->headers.emplace_back("X-Reveal-Event", event.id);
  if (!receiver.secret_file.empty()) {
    const auto secret = read_secret(receiver.secret_file);
    if (!secret) return not_taken(secret.error());
    request->headers.emplace_back("X-Reveal-Signature",
                                  signature(*secret, std::time(nullptr), request->body));
  }
  return post(*request, stop, before_sending);
}

// A journal that does not read for a while must not keep this thread for ever.
Delivery write_to_journal(const Event& event, std::chrono::milliseconds timeout, const Stop& stop,
                          const BeforeSending& before_sending) {
  const base::NoSigpipe quiet;
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  if (auto ready = wait_for(STDERR_FILENO, POLLOUT, deadline, &stop); !ready) {
    return not_taken(ready.error());
  }
  before_sending();
  const std::string line = journal_line(event);
  const auto count = ::write(STDERR_FILENO, line.data(), line.size());
  if (count < 0) return not_taken(base::fail_errno(errno, "cannot write to stderr").value());
  return {};
}

}  // namespace

Delivery send_event(const ReceiverOptions& receiver, const Event& event, const Labels& more,
                    const Stop& stop, const BeforeSending& before_sending, std::string& last_line) {
  switch (receiver.kind) {
    case ReceiverKind::kWebhook:
      return send_to_webhook(receiver, event, more, stop, before_sending);
    case ReceiverKind::kCommand: {
      auto run = run_command(receiver.command, webhook_body(event, receiver.name, more),
                             receiver.timeout, stop, before_sending);
      last_line = std::move(run.last_line);
      return std::move(run.delivery);
    }
    case ReceiverKind::kJournal:
      return write_to_journal(event, receiver.timeout, stop, before_sending);
    case ReceiverKind::kAlertmanager:
      break;
  }
  return {Outcome::kRefused, "gets the present state, not events"};
}

Delivery send_state(const ReceiverOptions& receiver, std::span<const Posting> postings,
                    const Labels& more, const Stop& stop, const BeforeSending& before_sending) {
  auto request = request_to(receiver, alertmanager_body(postings, more));
  if (!request) return not_taken(request.error());
  std::string& target = request->url.target;
  while (target.ends_with('/')) target.pop_back();
  if (!target.ends_with(kAlertsPath)) target += kAlertsPath;
  return post(*request, stop, before_sending);
}

}  // namespace reveal::alert
