// Who asks: lets a request be answered once that is known, and tells a client what it must show.
//
// Passwords are checked on a thread of their own, and few may wait: what it takes to check one is
// what makes it safe. Everything else that a gate says (access/gate.h) it says at once.
//
// For one thread, but for `done`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "access/gate.h"
#include "http/caller.h"
#include "http/request.h"
#include "http/response.h"
#include "http/slow_work.h"

namespace reveal::http {

class Guard {
 public:
  // That wait to be checked or are being checked. A check takes a part of a second.
  static constexpr std::size_t kMostPasswords = 8;

  // Returns whether a request is answered whoever sends it.
  using ForAll = std::function<bool(const Request& request)>;
  // Answers a request whose sender is known, or need not be.
  using Answerer = std::function<Response(const Request& request, const Caller& caller)>;
  // Gets what a request is answered with once its password was checked.
  using Receiver = std::function<void(const Response&)>;

  // `done`, which neither waits nor throws, is called on another thread once take() has something.
  // REQUIRES: `gate` is not null if a caller is asked who it is.
  Guard(std::shared_ptr<access::Gate> gate, ForAll for_all, Answerer answerer,
        std::function<void()> done);

  // Returns the answer, or a refusal. If a password must be checked before either, what it returns
  // is pending, and begin_check() is to be called.
  Response respond(const Request& request, const Caller& caller);

  // Returns whether the request that came last waits for the check of its password.
  bool must_check() const { return check_ != nullptr; }

  // Begins that check. Returns false if too many wait. REQUIRES: must_check(), which is over then.
  bool begin_check(Receiver receiver);

  // Returns what is to be done after a check that is over, once each: it calls the receiver. Empty
  // if there is none.
  SlowWork::Then take() { return checks_.take(); }

 private:
  struct Check {
    Request request;
    Caller caller;
    access::Password password;
  };

  Response refuse() const;

  std::shared_ptr<access::Gate> gate_;
  ForAll for_all_;
  Answerer answerer_;
  std::shared_ptr<const Check> check_;  // null: no password has to be checked
  SlowWork checks_;                     // the last: its thread uses the gate
};

}  // namespace reveal::http
