// Control groups as instances of channels name them: "cg=/job1/step_0", and of what a group does on
// one disk or GPU "cg=/job1/step_0,dev=sda", "cg=/job1/step_0,gpu=0000:17:00.0".
#pragma once

#include <string_view>

namespace reveal::model {

// Returns the group of an instance, "cg=/job1/step_0".
inline std::string_view group_of(std::string_view instance) {
  return instance.substr(0, instance.rfind(",dev=")).substr(0, instance.rfind(",gpu="));
}

// Returns the GPU of an instance, "0000:17:00.0"; empty if it names none.
inline std::string_view gpu_of(std::string_view instance) {
  constexpr std::string_view kLabel = ",gpu=";
  const auto at = instance.rfind(kLabel);
  return at == std::string_view::npos ? std::string_view() : instance.substr(at + kLabel.size());
}

// Returns whether a group lies within another: "cg=/a/b" within "cg=/a", and all within the root,
// "cg=/". None lies within itself.
inline bool is_within(std::string_view inner, std::string_view outer) {
  if (outer == "cg=/") return inner != outer;
  return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '/';
}

// Returns whether one of two groups is the other, or lies within it: what one does is also counted
// for the other.
inline bool are_of_one_line(std::string_view a, std::string_view b) {
  return a == b || is_within(a, b) || is_within(b, a);
}

}  // namespace reveal::model
