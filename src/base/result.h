// Errors are values. A function that can fail returns Result<T>; whoever ends the error's way tells
// the user what happened, where, and what to do. A broken precondition is a bug, not an Error.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace reveal::base {

enum class ErrorKind {
  kUsage,       // the user asked for something that makes no sense
  kAbsent,      // not on this host; normal, never stops the rest
  kPermission,  // there, but not for this user
  kCorrupt,     // bytes that are not what they claim to be
  kIo,          // the operating system refused
  kNoSpace,     // the disk is full
  kTooLittle,   // sound, but not enough to say anything
  kBusy,        // another program has it
  kAway,        // a server that does not answer now
};

struct Error {
  ErrorKind kind = ErrorKind::kIo;
  std::string what;    // what happened, no trailing full stop
  std::string where;   // path, flag or place; may be empty
  std::string remedy;  // what to do about it; may be empty

  // Returns "where: what (remedy)" on one line.
  std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

// Returns the error of a failed result, to be returned from a function with another Result:
// `if (!file) return base::pass(file);`. REQUIRES: the result has failed.
template <typename Failed>
Unexpected pass(Failed&& failed) {
  return Unexpected(std::forward<Failed>(failed).error());
}

// Returns a failure ready to be returned from any function with a Result.
Unexpected fail(ErrorKind kind, std::string what, std::string where = {}, std::string remedy = {});

// Returns the failure of a system call that set `errno_value`, with kind chosen from it.
Unexpected fail_errno(int errno_value, std::string what, std::string where = {},
                      std::string remedy = {});

}  // namespace reveal::base
