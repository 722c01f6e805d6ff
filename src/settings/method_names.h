// The names of the methods of analysis. What each of them sets is pipeline/method.cc's.
#pragma once

#include <array>
#include <string_view>

namespace reveal::settings {

struct MethodName {
  std::string_view name;
  std::string_view help;  // a noun phrase
};

inline constexpr MethodName kDefaultMethod{
    "default",
    "each window against the rest of the run, with a threshold that keeps quiet runs quiet"};
inline constexpr MethodName kPaperMethod{
    "paper", "channels pruned, detectors fitted on the run itself, the highest 1 % flagged"};

inline constexpr std::array kMethodNames{kDefaultMethod, kPaperMethod};

}  // namespace reveal::settings
