// The names of the methods of analysis; pipeline/method.cc has their settings.
#pragma once

#include <array>
#include <string_view>

namespace reveal::settings {

struct MethodName {
  std::string_view name;
  std::string_view help;  // a verb phrase
};

inline constexpr MethodName kDefaultMethod{"default",
                                           "compare each window with the rest of the run"};
inline constexpr MethodName kPaperMethod{
    "paper", "prune channels, fit detectors on the whole run, flag the highest 1 %"};

inline constexpr std::array kMethodNames{kDefaultMethod, kPaperMethod};

}  // namespace reveal::settings
