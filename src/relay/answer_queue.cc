#include "relay/answer_queue.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wire/question.h"

namespace reveal::relay {
namespace {

http::Response sendable(const http::Response& answer) {
  if (answer.body.size() <= wire::kMostAnswerBytes) return answer;
  return http::error_response(
      413, fmt::format("{} MB are too much to be fetched through the broker: get them from the "
                       "host itself, by its own address or its files",
                       answer.body.size() / 1'000'000));
}

}  // namespace

void AnswerQueue::add(std::string to, const http::Response& answer) {
  answers_.push_back({.to = std::move(to), .response = sendable(answer)});
}

std::optional<Outgoing> AnswerQueue::next(Clock::time_point now) {
  if (answers_.empty() || now < free_at_) return std::nullopt;
  auto answer = std::move(answers_.front());
  answers_.pop_front();
  const auto& response = answer.response;
  wire::AnswerPart part{.number = answer.parts++};
  if (part.number == 0) {
    part.head =
        wire::AnswerHead{.status = static_cast<std::uint16_t>(response.status),
                         .retry_after_s = static_cast<std::uint32_t>(response.retry_after_s),
                         .type = std::string(response.type),
                         .body_bytes = response.body.size()};
  }
  part.bytes = response.body.substr(answer.sent, wire::kMostPartBytes);
  answer.sent += part.bytes.size();
  Outgoing out{.to = answer.to, .message = {}};
  wire::put_answer_part(out.message, part);
  const std::chrono::duration<double> takes(static_cast<double>(out.message.size()) /
                                            kBytesPerSecond);
  free_at_ = now + std::chrono::duration_cast<Clock::duration>(takes);
  if (answer.sent < response.body.size()) answers_.push_back(std::move(answer));
  return out;
}

}  // namespace reveal::relay
