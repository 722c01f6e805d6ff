#include "http/guard.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace reveal::http {
namespace {

std::int64_t monotonic_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Memory can be refused anywhere below: who cannot be checked is nobody.
std::optional<access::Who> checked(access::Gate& gate, const access::Password& password) {
  try {
    return gate.check(password);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Guard::Guard(std::shared_ptr<access::Gate> gate, ForAll for_all, Answerer answerer,
             std::function<void()> done)
    : gate_(std::move(gate)),
      for_all_(std::move(for_all)),
      answerer_(std::move(answerer)),
      checks_(kMostPasswords, std::move(done)) {}

Response Guard::refuse() const {
  auto out = error_response(401, "this needs a user and a password, or a token");
  out.challenge = gate_->challenge();
  return out;
}

Response Guard::respond(const Request& request, const Caller& caller) {
  check_.reset();
  if (!caller.is_asked || for_all_(request)) return answerer_(request, caller);
  const auto decision = gate_->decide(request.authorization, monotonic_ns());
  auto known = caller;
  known.who = decision.who;
  switch (decision.kind) {
    case access::Decision::Kind::kKnown:
      return answerer_(request, known);
    case access::Decision::Kind::kTooMany:
      return later_again(429, "too many wrong passwords came");
    case access::Decision::Kind::kMustCheck:
      check_ = std::make_shared<const Check>(Check{request, caller, decision.password});
      return {.is_pending = true};
    case access::Decision::Kind::kRefused:
      break;
  }
  return refuse();
}

bool Guard::begin_check(Receiver receiver) {
  return checks_.begin([this, receiver = std::move(receiver),
                        check = std::exchange(check_, {})]() -> SlowWork::Then {
    return [this, receiver, check, who = checked(*gate_, check->password)] {
      receiver(made([&] {
        if (!who) return refuse();
        auto caller = check->caller;
        caller.who = *who;
        return answerer_(check->request, caller);
      }));
    };
  });
}

}  // namespace reveal::http
