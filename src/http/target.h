// What a request asks for: the part of its first line between method and version.
//
// Only the form that begins with a slash is taken. The path is decoded once and then compared as a
// whole, never split or joined with a name of a file, so ".." and an encoded slash are letters like
// any other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace reveal::http {

struct Parameter {
  std::string name;
  std::string value;
};

struct Target {
  std::string path;  // begins with a slash
  std::vector<Parameter> parameters = {};
};

inline constexpr std::size_t kMostParameters = 64;

// Returns the target in its parts, percent encoding undone; in parameters a plus sign is a blank.
// Fails with kUsage if it does not begin with a slash, has more than kMostParameters parameters, a
// percent sign without two hexadecimal digits, or, encoded or not, a control character. Source: RFC
// 3986, and https://url.spec.whatwg.org/#application/x-www-form-urlencoded for the parameters.
base::Result<Target> parse_target(std::string_view text);

// Returns a text as a parameter's value is written in a target.
std::string encoded(std::string_view value);

}  // namespace reveal::http
