// Decides who may ask, by the files of users and tokens.
//
// A token is known at once. A password takes a part of a second of a core, so decide() only says
// that it must be checked, and check() does it on a thread where that harms nobody. One that was
// right is remembered until the files change. Wrong ones are bounded: a few at once, then two a
// second; beyond that new passwords have to wait, but not those that are remembered.
//
// A name that is not there takes as long as a wrong password.
//
// Safe from any thread. No lock is held while a password is checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/credentials.h"
#include "access/hashing.h"
#include "access/lists.h"
#include "access/verified.h"
#include "access/who.h"
#include "base/allowance.h"
#include "base/file_watch.h"
#include "base/result.h"

namespace reveal::access {

// One of them may be empty: there is none.
struct GateFiles {
  std::filesystem::path users = {};
  std::filesystem::path tokens = {};
};

// What decide() says.
struct Decision {
  enum class Kind : std::uint8_t {
    kKnown,      // as `who`
    kRefused,    // nobody, or not with this secret
    kMustCheck,  // by check(`password`)
    kTooMany,    // wrong passwords: to be asked again a second later
  };
  Kind kind = Kind::kRefused;
  Who who = {};
  Password password = {};
};

class Gate {
 public:
  static constexpr double kWrongAtOnce = 10;
  static constexpr std::int64_t kBetweenWrong_ns = 500'000'000;

  // Reads the files. Fails as parse_users(), parse_tokens() and read_private().
  static base::Result<std::unique_ptr<Gate>> open(GateFiles files);

  // Says about an Authorization header what can be said at once. `now_ns` is of a monotonic clock.
  Decision decide(std::string_view authorization, std::int64_t now_ns);

  // Returns whose password it is; nothing if it is wrong. Takes long.
  std::optional<Who> check(const Password& password);

  // Returns what a client that is refused is asked for: a value of WWW-Authenticate.
  std::string challenge() const;

  // Reads the files if they have changed, and returns whether it did. If they are wrong the old
  // ones stay in force, and it fails, once for each change. To be called every second or so, from
  // one thread.
  base::Result<bool> refresh();

 private:
  struct Lists {
    std::vector<User> users;
    std::vector<TokenHolder> tokens;
  };

  Gate(GateFiles files, base::FileWatch watch, std::shared_ptr<const Lists> lists);
  static base::Result<std::shared_ptr<const Lists>> read(const GateFiles& files);
  std::shared_ptr<const Lists> lists() const;

  const GateFiles files_;
  const Sealer sealer_;
  base::FileWatch watch_;  // of refresh() alone

  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const Lists> lists_;
  Verified verified_;
  base::Allowance wrong_{kWrongAtOnce, kBetweenWrong_ns};
};

}  // namespace reveal::access
