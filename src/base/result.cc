#include "base/result.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace reveal::base {
namespace {

ErrorKind kind_of_errno(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTDIR:
      return ErrorKind::kAbsent;
    case EACCES:
    case EPERM:
      return ErrorKind::kPermission;
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::kNoSpace;
    default:
      return ErrorKind::kIo;
  }
}

}  // namespace

std::string Error::message() const {
  std::string out = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) out += " (" + remedy + ")";
  return out;
}

Unexpected fail(ErrorKind kind, std::string what, std::string where, std::string remedy) {
  return Unexpected(Error{kind, std::move(what), std::move(where), std::move(remedy)});
}

Unexpected fail_errno(int errno_value, std::string what, std::string where, std::string remedy) {
  if (!what.empty()) what += ": ";
  what += std::strerror(errno_value);
  return fail(kind_of_errno(errno_value), std::move(what), std::move(where), std::move(remedy));
}

}  // namespace reveal::base
