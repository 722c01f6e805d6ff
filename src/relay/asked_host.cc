#include "relay/asked_host.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/bounded_json.h"
#include "wire/head.h"
#include "wire/subject.h"

namespace reveal::relay {
namespace {

using base::ErrorKind;
using base::Result;
using Clock = std::chrono::steady_clock;

constexpr int kDeepest = 4;  // levels of an error as JSON

base::Unexpected is_away(const std::string& host) {
  return base::fail(ErrorKind::kAway,
                    "the host is not there now: its agent is stopped, has no broker, or does not "
                    "answer the fleet",
                    host, "on the host: reveal health, and answers = true in [fleet]");
}

// Puts parts together.
class Joined {
 public:
  explicit Joined(std::string host) : host_(std::move(host)) {}

  // Returns whether more is to come.
  Result<bool> take(base::ByteView message) {
    if (Clock::now() > deadline_) {
      return base::fail(ErrorKind::kAway, "the host is still at work on its answer", host_,
                        "try again later");
    }
    auto part = wire::read_answer_part(message);
    if (!part) return base::pass(part);
    if (part->is_being_made) return true;
    if (part->number != parts_) {
      return base::fail(ErrorKind::kIo, "a part of the answer was lost", host_, "ask again");
    }
    ++parts_;
    if (part->head) begin(*std::move(part->head));
    out_.body += part->bytes;
    if (out_.body.size() > bytes_) return wire::malformed("more of an answer than it has");
    return out_.body.size() < bytes_;
  }

  HostAnswer answer() && { return std::move(out_); }

 private:
  void begin(wire::AnswerHead head) {
    out_.status = head.status;
    out_.retry_after_s = static_cast<int>(head.retry_after_s);
    out_.type = std::move(head.type);
    bytes_ = static_cast<std::size_t>(head.body_bytes);
  }

  std::string host_;
  Clock::time_point deadline_ = Clock::now() + kLongestAnswer;
  HostAnswer out_;
  std::uint64_t parts_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<HostAnswer> ask_host(bus::Requester& requester, const std::string& host,
                            const wire::Question& question, std::chrono::milliseconds patience) {
  if (!wire::is_host_id(host)) {
    return base::fail(ErrorKind::kUsage, "is not the id of a host", host);
  }
  wire::Bytes message;
  if (const auto put = wire::put_question(message, question); !put) return base::pass(put);
  Joined joined(host);
  const auto asked = requester.ask(wire::question_subject(host), message, patience,
                                   [&](base::ByteView reply) { return joined.take(reply); });
  if (asked) return std::move(joined).answer();
  if (asked.error().kind == ErrorKind::kAbsent) return is_away(host);
  return base::pass(asked);
}

std::string error_text(const HostAnswer& answer) {
  const auto json = base::parse_bounded<nlohmann::json>(answer.body, kDeepest);
  std::string out = "status " + std::to_string(answer.status);
  if (!json.is_object() || !json.contains("error") || !json["error"].is_string()) return out;
  out = json["error"].get<std::string>();
  std::ranges::replace(out, '\n', ' ');
  return out;
}

}  // namespace reveal::relay
