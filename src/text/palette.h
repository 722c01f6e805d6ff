// The few text attributes that a terminal report uses, or none of them. SafeText::styled() keeps
// these and no others.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace reveal::text {

class Palette {
 public:
  explicit Palette(bool colors) : colors_(colors) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string alarm(std::string_view text) const { return wrap("1;31", text); }
  std::string good(std::string_view text) const { return wrap("32", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const {
    return colors_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  bool colors_;
};

}  // namespace reveal::text
